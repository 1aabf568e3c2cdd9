package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

class ExchangeTest {

    private static final ClientRequest REQUEST = ClientRequest.create(HttpMethod.PUT, URI.create("http://localhost/"))
            .build();

    private final IOException gone = new IOException("the disk is gone");
    private final Sinks.One<ClientResponse> response = Sinks.one();
    private final ClientResponse ok = ClientResponse.create(HttpStatus.OK).build();
    private final Exchange exchange = new Exchange();

    private VirtualTimeScheduler time;

    @BeforeEach
    void stopTheClock() {
        time = VirtualTimeScheduler.getOrSet();
    }

    @AfterEach
    void startTheClock() {
        VirtualTimeScheduler.reset();
    }

    private CompletableFuture<ClientResponse> waitForTheResponse() {
        return exchange.responseTo(REQUEST, response.asMono()).toFuture();
    }

    private void fail() {
        StepVerifier.create(exchange.watched(Flux.error(gone))).verifyErrorMessage(gone.getMessage());
    }

    private static DataBuffer piece() {
        return DefaultDataBufferFactory.sharedInstance.wrap(new byte[1]);
    }

    @Test
    void aBodysFailureFailsAResponseThatDoesNotCome() {
        CompletableFuture<ClientResponse> got = waitForTheResponse();

        fail();
        time.advanceTimeBy(Duration.ofSeconds(1));

        assertThatThrownBy(got::join)
                .hasCauseInstanceOf(WebClientRequestException.class)
                .hasRootCause(gone);
    }

    @Test
    void aResponseThatComesSoonAfterTheBodysFailureIsTold() {
        CompletableFuture<ClientResponse> got = waitForTheResponse();

        fail();
        time.advanceTimeBy(Duration.ofMillis(999));
        response.tryEmitValue(ok).orThrow();

        assertThat(got).isCompletedWithValue(ok);
    }

    @Test
    void aFailureDoesNotCountAfterAnotherAttemptHasBegun() {
        CompletableFuture<ClientResponse> got = waitForTheResponse();

        fail();
        Disposable next = exchange.watched(Flux.never()).subscribe();
        time.advanceTimeBy(Duration.ofMinutes(1));
        response.tryEmitValue(ok).orThrow();

        assertThat(got).isCompletedWithValue(ok);
        next.dispose();
    }

    @Test
    void theLastAttemptsFailureCounts() {
        CompletableFuture<ClientResponse> got = waitForTheResponse();

        fail();
        fail();
        time.advanceTimeBy(Duration.ofSeconds(1));

        assertThatThrownBy(got::join).hasRootCause(gone);
    }

    @Test
    void aCancelFailsTheBodyAtOnce() {
        Disposable waiting = exchange.responseTo(REQUEST, response.asMono()).subscribe();

        StepVerifier.create(exchange.whileWaitedFor(Flux.never()))
                .then(waiting::dispose)
                .verifyError(CancellationException.class);
    }

    @Test
    void aCancelOfTheResponsesBodyFailsTheRequestsWithItsNextPiece() {
        TestPublisher<DataBuffer> body = TestPublisher.create();
        Disposable reading = exchange.responseTo(REQUEST, response.asMono())
                .flatMapMany(answer -> Flux.never())
                .subscribe();
        response.tryEmitValue(ok).orThrow();

        StepVerifier.create(exchange.whileWaitedFor(body.flux()))
                .then(() -> body.next(piece()))
                .expectNextCount(1)
                .then(reading::dispose)
                .then(() -> body.next(piece()))
                .verifyError(CancellationException.class);
        body.assertCancelled();
    }
}
