package io.github.reslice.awssdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.reslice.OneShotBodyException;
import io.github.reslice.awschunked.DecodedLengthException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** The body as a publisher, without the SDK. */
class FluxRequestBodyTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final ByteBuffer three = ByteBuffer.allocate(5).position(1).limit(4);
    private final ByteBuffer two = ByteBuffer.allocateDirect(2);
    private final List<Long> progress = new ArrayList<>();

    @Test
    void refusesALengthBelowZero() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FluxRequestBody.of(Flux.empty(), -1))
                .withMessage("The length must be at least 0 bytes, was -1");
    }

    @Test
    void hasTheLengthThatWasDeclared() {
        FluxRequestBody body = FluxRequestBody.of(Flux.just(three, two), 5);

        assertThat(body.contentLength()).contains(5L);
        assertThat(body.onProgress(progress::add).contentLength()).contains(5L);
    }

    @Test
    void whatAReceiverDoesToABufferDoesNotReachTheSource() {
        FluxRequestBody body = FluxRequestBody.of(Flux.just(three, two), 5);

        for (int attempt = 0; attempt < 2; attempt++) {
            StepVerifier.create(Flux.from(body).doOnNext(buffer -> buffer.position(buffer.limit())))
                    .expectNextCount(2)
                    .expectComplete()
                    .verify(SOON);
        }
        assertThat(three).extracting(ByteBuffer::position, ByteBuffer::limit).containsExactly(1, 4);
        assertThat(two).extracting(ByteBuffer::position, ByteBuffer::limit).containsExactly(0, 2);
    }

    @Test
    void doesNotCopy() {
        List<ByteBuffer> given = Flux.from(FluxRequestBody.of(Flux.just(three, two), 5))
                .collectList()
                .block(SOON);

        assertThat(given.get(0).array()).isSameAs(three.array());
        two.put(1, (byte) 7);
        assertThat(given.get(1).get(1)).isEqualTo((byte) 7);
    }

    @Test
    void asksTheSourceForNoMoreThanWasAskedFor() {
        TestPublisher<ByteBuffer> source = TestPublisher.create();

        StepVerifier.create(FluxRequestBody.of(source, 5), 0)
                .then(() -> source.assertMaxRequested(0))
                .thenRequest(1)
                .then(() -> source.assertMinRequested(1).assertMaxRequested(1).next(three))
                .expectNextCount(1)
                .then(() -> source.assertMaxRequested(1))
                .thenRequest(1)
                .then(() -> source.next(two).complete())
                .expectNextCount(1)
                .expectComplete()
                .verify(SOON);
    }

    @Test
    void cancelsTheSource() {
        TestPublisher<ByteBuffer> source = TestPublisher.create();

        StepVerifier.create(FluxRequestBody.of(source, 5).onProgress(progress::add))
                .then(() -> source.next(three))
                .expectNextCount(1)
                .thenCancel()
                .verify(SOON);
        source.assertCancelled();
    }

    @Test
    void failsABodyThatIsTooShortBeforeItsEnd() {
        StepVerifier.create(FluxRequestBody.of(Flux.just(three), 5))
                .expectNextCount(1)
                .verifyErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(DecodedLengthException.class)
                        .hasMessageContaining("5 bytes")
                        .hasMessageContaining("3 had come"));
    }

    @Test
    void failsABodyThatIsTooLongBeforeItsLastByte() {
        StepVerifier.create(FluxRequestBody.of(Flux.just(three, two, two), 5))
                .expectNextCount(1)
                .verifyErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(DecodedLengthException.class)
                        .hasMessageContaining("5 bytes")
                        .hasMessageContaining("7 have come"));
    }

    @Test
    void namesASourceThatRefusesToBeReadAgain() {
        Sinks.Many<ByteBuffer> once = Sinks.many().unicast().onBackpressureBuffer();
        FluxRequestBody body = FluxRequestBody.of(once.asFlux(), 3);
        once.tryEmitNext(three).orThrow();
        once.tryEmitComplete().orThrow();

        StepVerifier.create(body).expectNextCount(1).expectComplete().verify(SOON);
        StepVerifier.create(body).verifyError(OneShotBodyException.class);
    }

    @Test
    void passesTheSourcesErrorOn() {
        IOException error = new IOException("gone");

        StepVerifier.create(FluxRequestBody.of(Flux.just(three).concatWith(Flux.error(error)), 5))
                .expectNextCount(1)
                .verifyErrorMatches(e -> e == error);
    }

    @Test
    void countsTheProgressOfEachAttemptFromItsStart() {
        FluxRequestBody body = FluxRequestBody.of(Flux.just(three, two), 5).onProgress(progress::add);

        Flux.from(body).take(1).blockLast(SOON);
        Flux.from(body).doOnNext(buffer -> buffer.position(buffer.limit())).blockLast(SOON);

        assertThat(progress).containsExactly(3L, 3L, 5L);
    }

    @Test
    void whatProgressThrowsFailsTheRequest() {
        RuntimeException error = new RuntimeException("no");

        StepVerifier.create(FluxRequestBody.of(Flux.just(three), 3).onProgress(sent -> {
                    throw error;
                }))
                .verifyErrorMatches(e -> e == error);
    }
}
