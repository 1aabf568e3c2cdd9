package io.github.reslice.stage;

import static io.github.reslice.stage.Enclosed.enclose;
import static io.github.reslice.stage.Gatherer.gather;
import static io.github.reslice.stage.Splitter.split;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.publisher.PublisherProbe;
import reactor.test.publisher.TestPublisher;

/** Cancellation, and what becomes of what is held then. */
class FluxStageCancelTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    @Test
    void cancelsUpstreamOnce() {
        AtomicInteger cancels = new AtomicInteger();
        ManualReceiver receiver = new ManualReceiver();
        Flux.<String>from(subscriber -> subscriber.onSubscribe(new CountedSubscription(cancels)))
                .transform(split())
                .subscribe(receiver);

        receiver.s.cancel();
        receiver.s.cancel();

        assertThat(cancels).hasValue(1);
    }

    @Test
    void discardsTheRestOfTheBufferOnCancel() {
        StepVerifier.create(Flux.just("abc").transform(split()), 1)
                .expectNext("a")
                .thenCancel()
                .verifyThenAssertThat(SOON)
                .hasDiscardedExactly("bc");
    }

    @Test
    void discardsAsItselfABufferThatWaitsForDemandOnCancel() {
        TestPublisher<String> upstream = TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);

        StepVerifier.create(upstream.flux().transform(split()), 0)
                .then(() -> upstream.next("abc"))
                .thenCancel()
                .verifyThenAssertThat(SOON)
                .hasDiscardedExactly("abc");
    }

    @Test
    void discardsEveryBufferThatIsGatheredOnCancel() {
        TestPublisher<String> upstream = TestPublisher.create();

        StepVerifier.create(upstream.flux().transform(gather(3)))
                .then(() -> upstream.next("a", "b"))
                .thenCancel()
                .verifyThenAssertThat(SOON)
                .hasDiscardedExactly("a", "b");
    }

    @Test
    void discardsNoFramingOnCancel() {
        StepVerifier.create(Flux.just("a").transform(enclose()), 2)
                .expectNext("(", "a")
                .thenCancel()
                .verifyThenAssertThat(SOON)
                .hasNotDiscardedElements();
    }

    @Test
    void givesNothingAfterACancelFromWithinOnNext() {
        ManualReceiver receiver = new ManualReceiver() {
            @Override
            public void onNext(String piece) {
                super.onNext(piece);
                s.cancel();
            }
        };
        Flux.just("abc", "d").transform(split()).subscribe(receiver);

        receiver.s.request(Long.MAX_VALUE);

        assertThat(receiver.pieces).containsExactly("a");
        assertThat(receiver.discarded).containsExactly("bc");
        assertThat(receiver.completed).isFalse();
    }

    @Test
    void givesNothingToDemandAfterCancel() {
        PublisherProbe<String> probe = PublisherProbe.of(Flux.just("a"));
        ManualReceiver receiver = new ManualReceiver();
        probe.flux().transform(split()).subscribe(receiver);

        receiver.s.cancel();
        receiver.s.request(1);

        assertThat(receiver.pieces).isEmpty();
        probe.assertWasNotRequested();
    }

    @Test
    void discardsABufferThatComesAfterCancel() {
        TestPublisher<String> upstream = TestPublisher.createNoncompliant(TestPublisher.Violation.DEFER_CANCELLATION);
        ManualReceiver receiver = new ManualReceiver();
        upstream.flux().transform(split()).subscribe(receiver);

        receiver.s.request(1);
        receiver.s.cancel();
        upstream.next("abc");

        assertThat(receiver.discarded).containsExactly("abc");
    }

    @Test
    void discardsABufferThatComesAfterItsOwnFailure() {
        TestPublisher<String> upstream = TestPublisher.createNoncompliant(
                TestPublisher.Violation.DEFER_CANCELLATION, TestPublisher.Violation.REQUEST_OVERFLOW);

        StepVerifier.create(upstream.flux().transform(Stage.operator(FailsInFeed::new)))
                .then(() -> upstream.next("a", "b", "c"))
                .expectError(Boom.class)
                .verifyThenAssertThat(SOON)
                .hasDiscardedExactly("a", "b", "c");
    }
}
