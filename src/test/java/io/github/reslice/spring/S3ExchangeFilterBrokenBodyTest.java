package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.AwsChunked;
import io.github.reslice.awschunked.DecodedLengthException;
import io.github.reslice.awschunked.ReferenceDecoder;
import io.github.reslice.servers.Answer;
import io.github.reslice.servers.Connector;
import io.github.reslice.servers.RecordedRequest;
import io.github.reslice.servers.RecordingServer;
import io.github.reslice.sigv4.AwsCredentials;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A body that fails, whenever it does, fails its request with its own error, and leaves the client fit for the next. */
@Timeout(30)
class S3ExchangeFilterBrokenBodyTest {

    private final IOException gone = new IOException("the disk is gone");

    private final byte[] payload = new byte[200_000];
    private final Sinks.Empty<ByteBuffer> failure = Sinks.empty();
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private RecordingServer server;

    @BeforeEach
    void start() throws IOException {
        new Random(4).nextBytes(payload);
        server = RecordingServer.answering(Answer.status(200));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private Flux<ByteBuffer> pieces() {
        return Flux.range(0, 20).map(i -> ByteBuffer.wrap(payload, i * 10_000, 10_000));
    }

    private static WebClient client(Connector connector, URI endpoint) {
        return connector.client(
                endpoint,
                S3ExchangeFilter.builder()
                        .credentials(AwsCredentials.of("test", "test"))
                        .region("us-east-1")
                        .chunked(AwsChunked.builder().chunkSize(8192).build())
                        .build());
    }

    private static Mono<ResponseEntity<Void>> put(WebClient client, long length, Flux<ByteBuffer> body) {
        return client.put()
                .uri("/bucket/key")
                .contentLength(length)
                .body(body, ByteBuffer.class)
                .retrieve()
                .toBodilessEntity();
    }

    private void assertFailsWithTheBodysError(Connector connector, Flux<ByteBuffer> body) {
        WebClient client = client(connector, server.endpoint());

        assertThatThrownBy(() -> put(client, payload.length, body).block())
                .isInstanceOf(WebClientRequestException.class)
                .hasRootCause(gone);
        assertNextRequestArrives(client);
    }

    /** Whatever has come before is not whole, and the next request is not taken for its rest. */
    private void assertNextRequestArrives(WebClient client) {
        put(client, payload.length, pieces()).block();

        List<RecordedRequest> requests = server.requests();
        RecordedRequest last = requests.stream()
                .filter(S3ExchangeFilterBrokenBodyTest::isComplete)
                .reduce((one, other) -> {
                    throw new AssertionError("more than one request is complete");
                })
                .orElseThrow();
        assertThat(ReferenceDecoder.decode(last.body()).payload()).isEqualTo(payload);
    }

    private static boolean isComplete(RecordedRequest request) {
        return request.body().length == Integer.parseInt(request.header("content-length"));
    }

    /** Fails when {@link #failure} does, whether or not more is asked for. */
    private Flux<ByteBuffer> failing(Flux<ByteBuffer> body) {
        return body.takeUntilOther(failure.asMono());
    }

    private void failInAWhile(CountDownLatch moment) {
        CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> {
            try {
                assertThat(moment.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            failure.tryEmitError(gone).orThrow();
        });
    }

    /** Until nothing more is taken for a while: most likely all that is in between is full. */
    private static void awaitStandstill(AtomicInteger given) {
        int before;
        int now = 0;
        do {
            before = now;
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            now = given.get();
        } while (now == 0 || now > before);
    }

    @ParameterizedTest
    @EnumSource
    void beforeItsFirstByte(Connector connector) {
        assertFailsWithTheBodysError(connector, Flux.error(gone));
    }

    @ParameterizedTest
    @EnumSource
    void whileItsFirstByteIsWaitedFor(Connector connector) {
        CountDownLatch waiting = new CountDownLatch(1);
        failInAWhile(waiting);

        assertFailsWithTheBodysError(
                connector, failing(Flux.<ByteBuffer>never().doOnRequest(n -> waiting.countDown())));
    }

    @ParameterizedTest
    @EnumSource
    void whileMoreIsWaitedFor(Connector connector) {
        CountDownLatch waiting = new CountDownLatch(1);
        failInAWhile(waiting);

        assertFailsWithTheBodysError(
                connector,
                failing(pieces().take(7)
                        .concatWith(Flux.<ByteBuffer>never().doOnSubscribe(subscription -> waiting.countDown()))));
    }

    @ParameterizedTest
    @EnumSource
    void insteadOfItsEnd(Connector connector) {
        assertFailsWithTheBodysError(connector, pieces().concatWith(Flux.error(gone)));
    }

    @ParameterizedTest
    @EnumSource
    void whileTheServerDoesNotRead(Connector connector) throws IOException {
        AtomicInteger given = new AtomicInteger();
        ByteBuffer piece = ByteBuffer.wrap(new byte[100_000]);
        Flux<ByteBuffer> body =
                failing(Flux.range(0, 2000).map(i -> piece.duplicate()).doOnNext(buffer -> given.incrementAndGet()));
        CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> {
            awaitStandstill(given);
            failure.tryEmitError(gone).orThrow();
        });
        try (StalledServer stalled = new StalledServer()) {
            assertThatThrownBy(() -> put(client(connector, stalled.endpoint()), 200_000_000, body)
                            .block())
                    .isInstanceOf(WebClientRequestException.class)
                    .hasRootCause(gone);
        }
    }

    @ParameterizedTest
    @EnumSource
    void byItsLength(Connector connector) {
        WebClient client = client(connector, server.endpoint());

        for (Function<Flux<ByteBuffer>, Flux<ByteBuffer>> change :
                List.<Function<Flux<ByteBuffer>, Flux<ByteBuffer>>>of(
                        body -> body.take(19), body -> body.concatWith(pieces()), body -> Flux.empty())) {
            assertThatThrownBy(() ->
                            put(client, payload.length, change.apply(pieces())).block())
                    .isInstanceOf(WebClientRequestException.class)
                    .hasCauseInstanceOf(DecodedLengthException.class);
        }

        assertNextRequestArrives(client);
    }

    @ParameterizedTest
    @EnumSource
    void byACancel(Connector connector) throws InterruptedException {
        CountDownLatch halfway = new CountDownLatch(1);
        Flux<ByteBuffer> body = pieces().take(15) // joined, more than Apache's asks ahead: so it has begun to send
                .concatWith(Flux.<ByteBuffer>never().doOnSubscribe(subscription -> halfway.countDown()))
                .doOnCancel(cancelled::countDown);
        WebClient client = client(connector, server.endpoint());
        Sinks.Empty<Void> cancel = Sinks.empty();
        CompletableFuture<ResponseEntity<Void>> upload = put(client, payload.length, body)
                .takeUntilOther(cancel.asMono())
                .toFuture();
        assertThat(halfway.await(20, TimeUnit.SECONDS)).isTrue();

        cancel.tryEmitEmpty().orThrow();

        assertThat(upload).as("no error follows").isCompletedWithValue(null);
        assertThat(cancelled.await(20, TimeUnit.SECONDS)).isTrue();
        assertNextRequestArrives(client);
        server.awaitRequests(2);
    }
}
