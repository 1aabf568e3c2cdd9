package io.github.reslice.spring;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.core.codec.CodecException;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClientException;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.publisher.Sinks;

/**
 * What a request's body and its response have to tell each other, where connectors do not. One that waits for a server to
 * read does not see that the body has failed, as a rule; and Apache's does not see that nobody waits for the response.
 */
final class Exchange {

    /**
     * For the connector to tell by itself what the body has failed with. It must not be cut short: cancelled from within the
     * body's subscription, Jetty's subscribes once more.
     */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** Becomes true once the body goes encoded. */
    final AtomicBoolean encodes = new AtomicBoolean();

    private final AtomicInteger attempts = new AtomicInteger();
    private final Sinks.Empty<ClientResponse> failed = Sinks.empty();
    private final Sinks.Empty<Void> cancelled = Sinks.empty();
    private volatile boolean waitedFor = true;

    /** The response, or what the body has failed with before there was one: wrapped as {@code WebClient} does it. */
    Mono<ClientResponse> responseTo(ClientRequest request, Mono<ClientResponse> response) {
        Mono<ClientResponse> failure = failed.asMono()
                .onErrorMap(
                        e -> !(e instanceof WebClientException) && !(e instanceof CodecException),
                        e -> new WebClientRequestException(e, request.method(), request.url(), request.headers()));
        return Mono.firstWithSignal(response, failure)
                .onErrorResume(e -> !waitedFor, e -> Mono.never()) // Jetty's client fails what is cancelled
                .doOnCancel(() -> waitedFor = false)
                .doFinally(end -> {
                    if (end == SignalType.CANCEL) {
                        cancelled.tryEmitEmpty();
                    }
                });
    }

    /** Tells the response if the body fails, and a filter in between has not begun another attempt by then. */
    Flux<DataBuffer> watched(Flux<DataBuffer> body) {
        return Flux.defer(() -> {
            int attempt = attempts.incrementAndGet();
            return body.doOnError(e -> Mono.delay(GRACE)
                    .filter(tick -> attempts.get() == attempt)
                    .subscribe(tick -> {
                        Sinks.EmitResult unused = failed.tryEmitError(e);
                    }));
        });
    }

    /**
     * Fails the body once the response is not waited for: at once while there is none, then with the next piece. What comes
     * just then may be dropped: nothing to be released.
     */
    Flux<DataBuffer> whileWaitedFor(Flux<DataBuffer> body) {
        Mono<DataBuffer> end = Mono.defer(
                () -> waitedFor ? Mono.empty() : Mono.error(new CancellationException("the request was cancelled")));
        return body.takeUntilOther(cancelled.asMono())
                .takeWhile(piece -> waitedFor)
                .concatWith(end);
    }
}
