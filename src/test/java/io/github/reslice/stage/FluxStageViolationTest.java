package io.github.reslice.stage;

import static io.github.reslice.stage.Splitter.split;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** Signals that break the specification, and signals that come too late. */
class FluxStageViolationTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    @Test
    void refusesDemandOfZero() {
        ManualReceiver receiver = new ManualReceiver();
        Flux.just("a").transform(split()).subscribe(receiver);

        receiver.s.request(0);

        assertThat(receiver.error)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Demand must be positive (Reactive Streams, rule 3.9), was 0");
    }

    @Test
    void refusesNegativeDemandAndCancelsUpstream() {
        TestPublisher<String> upstream = TestPublisher.create();
        ManualReceiver receiver = new ManualReceiver();
        upstream.flux().transform(split()).subscribe(receiver);

        receiver.s.request(-5);

        assertThat(receiver.error).isInstanceOf(IllegalArgumentException.class).hasMessageEndingWith("was -5");
        upstream.assertCancelled(1);
    }

    @Test
    void refusesDemandOfZeroWhilePiecesAreLeftOfACompleteUpstream() {
        ManualReceiver receiver = new ManualReceiver();
        Flux.just("ab").transform(split()).subscribe(receiver);

        receiver.s.request(1);
        receiver.s.request(0);

        assertThat(receiver.error).isInstanceOf(IllegalArgumentException.class);
        assertThat(receiver.discarded).containsExactly("b");
    }

    @Test
    void takesNoNoticeOfABadDemandAfterTheEnd() {
        TestPublisher<String> upstream = TestPublisher.create();
        ManualReceiver receiver = new ManualReceiver();
        upstream.flux().transform(split()).subscribe(receiver);

        upstream.complete();
        receiver.s.request(0);

        assertThat(receiver.error).isNull();
        assertThat(receiver.dropped).isEmpty();
        upstream.assertNotCancelled();
    }

    @Test
    void failsWhenUpstreamSendsMoreThanItWasAskedFor() {
        TestPublisher<String> upstream = TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);

        StepVerifier.create(upstream.flux().transform(split()), 1)
                .then(() -> upstream.next("ab"))
                .expectNext("a")
                .then(() -> upstream.next("c", "d"))
                .expectErrorMatches(reactor.core.Exceptions::isOverflow)
                .verifyThenAssertThat(SOON)
                .hasDiscarded("b", "c", "d");

        upstream.assertCancelled(1);
    }

    @Test
    void dropsABufferThatComesAfterCompletion() {
        TestPublisher<String> upstream = TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);

        StepVerifier.create(upstream.flux().transform(split()))
                .then(upstream::complete)
                .then(() -> upstream.next("a"))
                .expectComplete()
                .verifyThenAssertThat(SOON)
                .hasDropped("a");
    }

    @Test
    void dropsAnErrorThatComesAfterCompletion() {
        TestPublisher<String> upstream = TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);

        StepVerifier.create(upstream.flux().transform(split()))
                .then(upstream::complete)
                .then(() -> upstream.error(new Boom()))
                .expectComplete()
                .verifyThenAssertThat(SOON)
                .hasDroppedErrorOfType(Boom.class);
    }

    @Test
    void dropsAnErrorThatComesAfterItsOwnFailure() {
        TestPublisher<String> upstream = TestPublisher.createNoncompliant(TestPublisher.Violation.DEFER_CANCELLATION);

        StepVerifier.create(upstream.flux().transform(Stage.operator(FailsInFeed::new)))
                .then(() -> upstream.next("a"))
                .then(() -> upstream.error(new IllegalStateException("late")))
                .expectError(Boom.class)
                .verifyThenAssertThat(SOON)
                .hasDroppedErrorWithMessage("late");
    }

    @Test
    void dropsAnErrorThatComesAfterCancel() {
        TestPublisher<String> upstream = TestPublisher.createNoncompliant(TestPublisher.Violation.DEFER_CANCELLATION);
        ManualReceiver receiver = new ManualReceiver();
        upstream.flux().transform(split()).subscribe(receiver);

        receiver.s.cancel();
        upstream.error(new Boom());

        assertThat(receiver.error).isNull();
        assertThat(receiver.dropped).singleElement().isInstanceOf(Boom.class);
    }

    @Test
    void completesOnceWhenUpstreamCompletesTwice() {
        TestPublisher<String> upstream = TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
        AtomicInteger completions = new AtomicInteger();
        upstream.flux().transform(split()).subscribe(null, null, completions::incrementAndGet);

        upstream.complete();
        upstream.complete();

        assertThat(completions).hasValue(1);
    }

    @Test
    void cancelsASecondSubscription() {
        AtomicInteger cancels = new AtomicInteger();
        Flux<String> twice = Flux.from(subscriber -> {
            subscriber.onSubscribe(new CountedSubscription(new AtomicInteger()));
            subscriber.onSubscribe(new CountedSubscription(cancels));
        });

        twice.transform(split()).subscribe(new ManualReceiver()); // which takes any subscription

        assertThat(cancels).hasValue(1);
    }

    /** The error would go to whoever asked, and the receiver would wait for ever. */
    @Test
    void failsWhenUpstreamThrowsAtDemand() {
        AtomicInteger cancels = new AtomicInteger();
        ManualReceiver receiver = new ManualReceiver();
        answering(cancels, subscriber -> {
                    throw new Boom();
                })
                .transform(split())
                .subscribe(receiver);

        receiver.s.request(1);

        assertThat(receiver.error).isInstanceOf(Boom.class);
        assertThat(cancels).hasValue(1);
    }

    @Test
    void failsWhenUpstreamSendsNull() {
        ManualReceiver receiver = new ManualReceiver();
        answering(new AtomicInteger(), subscriber -> subscriber.onNext(null))
                .transform(split())
                .subscribe(receiver);

        receiver.s.request(1);

        assertThat(receiver.error).isInstanceOf(NullPointerException.class);
    }

    private static Flux<String> answering(AtomicInteger cancels, Consumer<Subscriber<? super String>> demand) {
        return Flux.from(subscriber -> subscriber.onSubscribe(new Subscription() {
            @Override
            public void request(long n) {
                demand.accept(subscriber);
            }

            @Override
            public void cancel() {
                cancels.incrementAndGet();
            }
        }));
    }

    @Test
    void failsWhenUpstreamFailsWithoutASubscription() {
        Flux<String> failing = Flux.from(subscriber -> subscriber.onError(new Boom()));

        StepVerifier.create(failing.transform(split())).expectError(Boom.class).verify(SOON);
    }

    @Test
    void completesWhenUpstreamCompletesWithoutASubscription() {
        Flux<String> completing = Flux.from(subscriber -> subscriber.onComplete());

        StepVerifier.create(completing.transform(split())).expectComplete().verify(SOON);
    }
}
