package io.github.reslice.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.observability.DefaultSignalListener;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.SignalType;
import reactor.test.StepVerifier;
import reactor.test.StepVerifierOptions;
import reactor.test.publisher.PublisherProbe;
import reactor.test.publisher.TestPublisher;
import reactor.util.context.Context;
import reactor.util.function.Tuples;

class FluxStageTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    private final List<Long> requests = new ArrayList<>();

    @AfterEach
    void resetHooks() {
        Hooks.resetOnEachOperator();
    }

    // demand

    @Test
    void asksUpstreamForNothingBeforeAPieceIsWanted() {
        TestPublisher<String> upstream = TestPublisher.create();

        StepVerifier.create(watched(upstream).transform(split()), 0)
                .then(() -> assertThat(requests).isEmpty())
                .thenCancel()
                .verify(SOON);
    }

    @Test
    void asksUpstreamForOneBufferWhenAPieceIsWanted() {
        TestPublisher<String> upstream = TestPublisher.create();

        StepVerifier.create(watched(upstream).transform(split()), 5)
                .then(() -> assertThat(requests).containsExactly(1L))
                .thenCancel()
                .verify(SOON);
    }

    @Test
    void givesNoMorePiecesThanAreWanted() {
        StepVerifier.create(watched(Flux.just("abc")).transform(split()), 1)
                .expectNext("a")
                .expectNoEvent(Duration.ofMillis(1))
                .thenRequest(1)
                .expectNext("b")
                .thenCancel()
                .verify(SOON);
    }

    @Test
    void asksUpstreamForNothingWhileTheStageHasPieces() {
        StepVerifier.create(watched(Flux.just("abc", "d")).transform(split()), 3)
                .expectNext("a", "b", "c")
                .then(() -> assertThat(requests).containsExactly(1L))
                .thenCancel()
                .verify(SOON);
    }

    @Test
    void asksUpstreamAgainWhenABufferGaveNoPiece() {
        StepVerifier.create(watched(Flux.just("a", "b", "c", "d")).transform(gather(3)), 1)
                .expectNext("abc")
                .then(() -> assertThat(requests).containsExactly(1L, 1L, 1L))
                .thenCancel()
                .verify(SOON);
    }

    @Test
    void asksUpstreamForEverythingOnceTheReceiverWantsEverything() {
        StepVerifier.create(watched(Flux.just("ab", "c")).transform(split()))
                .expectNext("a", "b", "c")
                .expectComplete()
                .verify(SOON);

        assertThat(requests).containsExactly(Long.MAX_VALUE);
    }

    @Test
    void takesDemandsThatAddUpToEverythingAsEverything() {
        TestPublisher<String> upstream = TestPublisher.create();

        StepVerifier.create(watched(upstream).transform(passThrough()), Long.MAX_VALUE - 1)
                .thenRequest(5)
                .then(() -> upstream.next("a"))
                .expectNext("a")
                .then(() -> assertThat(requests).containsExactly(1L, Long.MAX_VALUE))
                .thenCancel()
                .verify(SOON);
    }

    @Test
    void waitsForTheBufferOnItsWayBeforeAskingForEverything() {
        TestPublisher<String> upstream = TestPublisher.create();
        Receiver receiver = new Receiver();
        watched(upstream).transform(split()).subscribe(receiver);

        receiver.s.request(1);
        receiver.s.request(Long.MAX_VALUE);
        assertThat(requests).containsExactly(1L);
        upstream.next("ab");
        assertThat(requests).containsExactly(1L, Long.MAX_VALUE);
        upstream.next("c", "d");

        assertThat(receiver.pieces).containsExactly("a", "b", "c", "d");
    }

    @Test
    void pollsNothingAheadWhileTheSourceIsNotComplete() {
        TestPublisher<String> upstream = TestPublisher.create();
        AtomicInteger polls = new AtomicInteger();
        Receiver receiver = new Receiver();
        Stage<String, String> stage = new Splitter() {
            @Override
            public String poll() {
                String piece = super.poll();
                if (piece != null) {
                    polls.incrementAndGet();
                }
                return piece;
            }
        };
        upstream.flux().transform(Stage.operator(() -> stage)).subscribe(receiver);

        receiver.s.request(1);
        upstream.next("abc");
        assertThat(polls).hasValue(1);
        upstream.complete();
        assertThat(polls).hasValue(2);

        assertThat(receiver.pieces).containsExactly("a");
    }

    @Test
    void takesASynchronousSourceThroughOneByOneUnderUnboundedDemand() {
        AtomicReference<Scannable> stage = new AtomicReference<>();
        List<Integer> buffered = new ArrayList<>();

        Flux.range(0, 100)
                .map(String::valueOf)
                .transform(passThrough())
                .doOnSubscribe(s -> stage.set(Scannable.from(s)))
                .subscribe(piece -> buffered.add(stage.get().scan(Scannable.Attr.BUFFERED)));

        assertThat(buffered).hasSize(100).containsOnly(0);
    }

    @Test
    void servesDemandFromWithinOnNextWithoutRecursion() {
        int count = 100_000;
        AtomicInteger given = new AtomicInteger();
        AtomicReference<SignalType> end = new AtomicReference<>();

        Flux.range(0, count).map(String::valueOf).transform(passThrough()).subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                request(1);
            }

            @Override
            protected void hookOnNext(String piece) {
                given.incrementAndGet();
                request(1);
            }

            @Override
            protected void hookFinally(SignalType type) {
                end.set(type);
            }
        });

        assertThat(given).hasValue(count);
        assertThat(end).hasValue(SignalType.ON_COMPLETE);
    }

    @Test
    void switchesToEverythingFromWithinOnNext() {
        Receiver receiver = new Receiver() {
            @Override
            public void onNext(String piece) {
                super.onNext(piece);
                s.request(Long.MAX_VALUE);
            }
        };
        watched(Flux.just("ab", "c", "d")).transform(split()).subscribe(receiver);

        receiver.s.request(1);

        assertThat(receiver.pieces).containsExactly("a", "b", "c", "d");
        assertThat(receiver.completed).isTrue();
        assertThat(requests).containsExactly(1L, Long.MAX_VALUE);
    }

    @Test
    void isNeverUnderRequested() {
        StepVerifierOptions options =
                StepVerifierOptions.create().initialRequest(2).checkUnderRequesting(true);

        StepVerifier.create(Flux.just("ab", "cd").transform(split()), options)
                .expectNext("a", "b")
                .thenRequest(2)
                .expectNext("c", "d")
                .expectComplete()
                .verify(SOON);
    }

    // completion

    @Test
    void completesAnEmptyStreamWithoutDemand() {
        StepVerifier.create(Flux.<String>empty().transform(split()), 0)
                .expectComplete()
                .verify(SOON);
    }

    @Test
    void completesWithoutDemandBeyondTheLastPiece() {
        StepVerifier.create(Flux.just("ab", "c").transform(split()), 3)
                .expectNext("a", "b", "c")
                .expectComplete()
                .verify(SOON);
    }

    @Test
    void completesWithoutDemandBeyondTheLastPieceThatTheEndBrings() {
        StepVerifier.create(Flux.just("a").transform(enclose()), 3)
                .expectNext("(", "a", ")")
                .expectComplete()
                .verify(SOON);
    }

    @Test
    void keepsThePieceThatTheEndBringsUntilItIsWanted() {
        StepVerifier.create(Flux.just("a").transform(enclose()), 2)
                .expectNext("(", "a")
                .expectNoEvent(Duration.ofMillis(1))
                .thenRequest(1)
                .expectNext(")")
                .expectComplete()
                .verify(SOON);
    }

    @Test
    void keepsABufferThatCameWithCompletionUntilItsPiecesAreWanted() {
        TestPublisher<String> upstream = TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);

        StepVerifier.create(upstream.flux().transform(split()), 0)
                .then(() -> upstream.next("ab"))
                .then(upstream::complete)
                .expectNoEvent(Duration.ofMillis(1))
                .thenRequest(2)
                .expectNext("a", "b")
                .expectComplete()
                .verify(SOON);
    }

    @Test
    void tellsTheStageToDiscardOnceAfterSuccess() {
        Recording<String> stage = new Recording<>(new PassThrough<>());

        StepVerifier.create(Flux.just("a").transform(Stage.operator(() -> stage)))
                .expectNext("a")
                .expectComplete()
                .verifyThenAssertThat(SOON)
                .hasNotDiscardedElements();

        assertThat(stage.calls).containsExactly("feed a", "end", "discard");
    }

    // errors

    @Test
    void passesAnErrorWithoutDemand() {
        StepVerifier.create(Flux.<String>error(new Boom()).transform(split()), 0)
                .expectError(Boom.class)
                .verify(SOON);
    }

    @Test
    void passesAnErrorAtOnceAndDiscardsTheRestOfTheBuffer() {
        TestPublisher<String> upstream = TestPublisher.create();

        StepVerifier.create(upstream.flux().transform(split()), 1)
                .then(() -> upstream.next("abc"))
                .expectNext("a")
                .then(() -> upstream.error(new Boom()))
                .expectError(Boom.class)
                .verifyThenAssertThat(SOON)
                .hasDiscardedExactly("bc");
    }

    @Test
    void discardsAsItselfABufferOfWhichNothingWasGiven() {
        String buffer = "abc";
        Receiver receiver = new Receiver();
        Flux.just(buffer).transform(split()).subscribe(receiver); // complete at once: "a" is polled ahead

        receiver.s.request(0);

        assertThat(receiver.error).isInstanceOf(IllegalArgumentException.class);
        assertThat(receiver.discarded).singleElement().isSameAs(buffer);
    }

    @Test
    void endsNothingAfterAnError() {
        Recording<String> stage = new Recording<>(new Enclosed());

        StepVerifier.create(Flux.just("a").concatWith(Flux.error(new Boom())).transform(Stage.operator(() -> stage)))
                .expectNext("(", "a")
                .expectError(Boom.class)
                .verify(SOON);

        assertThat(stage.calls).doesNotContain("end").endsWith("discard").containsOnlyOnce("discard");
    }

    @Test
    void failsWhenFeedThrowsAndCancelsUpstream() {
        TestPublisher<String> upstream = TestPublisher.create();

        StepVerifier.create(upstream.flux().transform(Stage.operator(FailsInFeed::new)))
                .then(() -> upstream.next("a"))
                .expectError(Boom.class)
                .verify(SOON);

        upstream.assertCancelled(1);
    }

    @Test
    void discardsOnceABufferThatFeedRefusedWithoutKeepingIt() {
        StepVerifier.create(Flux.just("a").transform(Stage.operator(FailsInFeed::new)))
                .expectError(Boom.class)
                .verifyThenAssertThat(SOON)
                .hasDiscardedExactly("a");
    }

    @Test
    void discardsOnceABufferThatFeedRefusedAndKept() {
        Supplier<Stage<String, String>> keepsAndFails = () -> new PassThrough<>() {
            @Override
            public void feed(String buffer) {
                super.feed(buffer);
                throw new Boom();
            }
        };

        StepVerifier.create(Flux.just("a").transform(Stage.operator(keepsAndFails)))
                .expectError(Boom.class)
                .verifyThenAssertThat(SOON)
                .hasDiscardedExactly("a");
    }

    @Test
    void letsThePiecesStandThatWereGivenBeforePollThrew() {
        Supplier<Stage<String, String>> failsAtTheSecond = () -> new Splitter() {
            private int polls;

            @Override
            public String poll() {
                String piece = super.poll();
                if (piece != null && ++polls == 2) {
                    discardUnsent(piece, unused -> {});
                    throw new Boom();
                }
                return piece;
            }
        };

        StepVerifier.create(Flux.just("abc").transform(Stage.operator(failsAtTheSecond)))
                .expectNext("a")
                .expectError(Boom.class)
                .verifyThenAssertThat(SOON)
                .hasDiscardedExactly("bc");
    }

    @Test
    void failsInThePlaceOfCompletionWhenEndThrows() {
        Supplier<Stage<String, String>> failsAtTheEnd = () -> new PassThrough<>() {
            @Override
            public void end() {
                throw new Boom();
            }
        };

        StepVerifier.create(Flux.just("a").transform(Stage.operator(failsAtTheEnd)), 1)
                .expectNext("a")
                .expectError(Boom.class)
                .verify(SOON);
    }

    @Test
    void deliversTheErrorAlthoughDiscardThrows() {
        Supplier<Stage<String, String>> failsInDiscard = () -> new FailsInFeed() {
            @Override
            public void discard(Consumer<Object> sink) {
                throw new IllegalStateException("in discard");
            }
        };

        StepVerifier.create(Flux.just("a").transform(Stage.operator(failsInDiscard)))
                .expectError(Boom.class)
                .verifyThenAssertThat(SOON)
                .hasDiscardedExactly("a")
                .hasDroppedErrorWithMessage("in discard");
    }

    @Test
    void completesAlthoughDiscardThrows() {
        Supplier<Stage<String, String>> failsInDiscard = () -> new PassThrough<>() {
            @Override
            public void discard(Consumer<Object> sink) {
                throw new IllegalStateException("in discard");
            }
        };

        StepVerifier.create(Flux.just("a").transform(Stage.operator(failsInDiscard)))
                .expectNext("a")
                .expectComplete()
                .verifyThenAssertThat(SOON)
                .hasDroppedErrorWithMessage("in discard");
    }

    @Test
    void discardsTheRestAlthoughDiscardUnsentThrows() {
        Supplier<Stage<String, String>> failsInDiscardUnsent = () -> new Splitter() {
            @Override
            public void discardUnsent(String piece, Consumer<Object> sink) {
                throw new IllegalStateException("in discardUnsent");
            }
        };
        Receiver receiver = new Receiver();
        Flux.just("abc").transform(Stage.operator(failsInDiscardUnsent)).subscribe(receiver);

        receiver.s.request(1); // the source is complete by then, so "b" is polled ahead
        receiver.s.cancel();

        assertThat(receiver.discarded).containsExactly("c");
        assertThat(receiver.dropped).singleElement().isInstanceOf(IllegalStateException.class);
    }

    @Test
    void discardsAPieceThatWasPolledAheadWithTheRest() {
        Receiver receiver = new Receiver();
        Flux.just("abc").transform(split()).subscribe(receiver);

        receiver.s.request(1); // the source is complete by then, so "b" is polled ahead
        receiver.s.cancel();

        assertThat(receiver.discarded).containsExactly("bc");
    }

    @Test
    void discardsNoFramingThatWasPolledAhead() {
        Receiver receiver = new Receiver();
        Flux.just("a").transform(enclose()).subscribe(receiver);

        receiver.s.request(2); // the source is complete by then, so ")" is polled ahead
        receiver.s.cancel();

        assertThat(receiver.pieces).containsExactly("(", "a");
        assertThat(receiver.discarded).isEmpty();
    }

    @Test
    void dropsAnErrorOfTheStageThatComesAfterUpstreams() {
        TestPublisher<String> upstream = TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);
        Supplier<Stage<String, String>> stage = () -> new FailsInFeed() {
            @Override
            public void feed(String buffer) {
                upstream.error(new IllegalStateException("upstream"));
                super.feed(buffer);
            }
        };

        StepVerifier.create(upstream.flux().transform(Stage.operator(stage)))
                .then(() -> upstream.next("a"))
                .expectErrorMessage("upstream")
                .verifyThenAssertThat(SOON)
                .hasDroppedErrorOfType(Boom.class)
                .hasDiscardedExactly("a");
    }

    @Test
    void endsTheStreamDespiteOnErrorContinue() {
        List<Object> continued = new ArrayList<>();

        StepVerifier.create(Flux.just("a", "b")
                        .transform(Stage.operator(FailsInFeed::new))
                        .onErrorContinue((e, element) -> continued.add(element)))
                .expectError(Boom.class)
                .verify(SOON);

        assertThat(continued).isEmpty();
    }

    // cancel

    @Test
    void cancelsUpstreamOnce() {
        AtomicInteger cancels = new AtomicInteger();
        Receiver receiver = new Receiver();
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
        Receiver receiver = new Receiver() {
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
        Receiver receiver = new Receiver();
        probe.flux().transform(split()).subscribe(receiver);

        receiver.s.cancel();
        receiver.s.request(1);

        assertThat(receiver.pieces).isEmpty();
        probe.assertWasNotRequested();
    }

    @Test
    void discardsABufferThatComesAfterCancel() {
        TestPublisher<String> upstream = TestPublisher.createNoncompliant(TestPublisher.Violation.DEFER_CANCELLATION);
        Receiver receiver = new Receiver();
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

    // what must not happen

    @Test
    void refusesDemandOfZero() {
        Receiver receiver = new Receiver();
        Flux.just("a").transform(split()).subscribe(receiver);

        receiver.s.request(0);

        assertThat(receiver.error)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Demand must be positive (Reactive Streams, rule 3.9), was 0");
    }

    @Test
    void refusesNegativeDemandAndCancelsUpstream() {
        TestPublisher<String> upstream = TestPublisher.create();
        Receiver receiver = new Receiver();
        upstream.flux().transform(split()).subscribe(receiver);

        receiver.s.request(-5);

        assertThat(receiver.error).isInstanceOf(IllegalArgumentException.class).hasMessageEndingWith("was -5");
        upstream.assertCancelled(1);
    }

    @Test
    void refusesDemandOfZeroWhilePiecesAreLeftOfACompleteUpstream() {
        Receiver receiver = new Receiver();
        Flux.just("ab").transform(split()).subscribe(receiver);

        receiver.s.request(1);
        receiver.s.request(0);

        assertThat(receiver.error).isInstanceOf(IllegalArgumentException.class);
        assertThat(receiver.discarded).containsExactly("b");
    }

    @Test
    void takesNoNoticeOfABadDemandAfterTheEnd() {
        TestPublisher<String> upstream = TestPublisher.create();
        Receiver receiver = new Receiver();
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
        Receiver receiver = new Receiver();
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

        twice.transform(split()).subscribe(new Receiver()); // which takes any subscription

        assertThat(cancels).hasValue(1);
    }

    // building

    @Test
    void refusesNoSupplier() {
        assertThatNullPointerException().isThrownBy(() -> Stage.operator(null)).withMessage("stages");
    }

    @Test
    void failsTheSubscriptionWhenTheSupplierThrows() {
        PublisherProbe<String> probe = PublisherProbe.of(Flux.just("a"));

        StepVerifier.create(probe.flux().transform(Stage.<String, String>operator(() -> {
                    throw new Boom();
                })))
                .expectError(Boom.class)
                .verify(SOON);

        probe.assertWasNotSubscribed();
    }

    @Test
    void failsTheSubscriptionWhenTheSupplierGivesNothing() {
        StepVerifier.create(Flux.just("a").transform(Stage.<String, String>operator(() -> null)))
                .expectErrorMatches(
                        e -> e instanceof NullPointerException && e.getMessage().equals("the supplier gave no stage"))
                .verify(SOON);
    }

    @Test
    void givesEverySubscriptionAStageOfItsOwn() {
        Flux<String> enclosed = Flux.just("a").transform(enclose());

        for (int i = 0; i < 2; i++) {
            StepVerifier.create(enclosed)
                    .expectNext("(", "a", ")")
                    .expectComplete()
                    .verify(SOON);
        }
    }

    @Test
    void startsFreshOnRetry() {
        AtomicInteger attempts = new AtomicInteger();
        Flux<String> failsOnce = Flux.defer(() -> attempts.getAndIncrement() == 0
                ? Flux.just("a").concatWith(Flux.error(new Boom()))
                : Flux.just("a", "b"));

        StepVerifier.create(failsOnce.transform(enclose()).retry(1))
                .expectNext("(", "a", "(", "a", "b", ")")
                .expectComplete()
                .verify(SOON);
    }

    // what crosses it

    @Test
    void passesTheContextUpstream() {
        StepVerifier.create(Flux.deferContextual(context -> Flux.just(context.<String>get("key")))
                        .transform(passThrough())
                        .contextWrite(Context.of("key", "value")))
                .expectNext("value")
                .expectComplete()
                .verify(SOON);
    }

    @Test
    void letsNameAndTagsCross() {
        Flux<String> named = Flux.just("a").name("body").tag("part", "7").transform(split());

        assertThat(Scannable.from(named).name()).isEqualTo("body");
        assertThat(Scannable.from(named).tags()).containsExactly(Tuples.of("part", "7"));
    }

    @Test
    void letsATapSeeEachPiece() {
        List<String> seen = new ArrayList<>();

        StepVerifier.create(Flux.just("ab").transform(split()).tap(() -> new DefaultSignalListener<>() {
                    @Override
                    public void doOnNext(String piece) {
                        seen.add(piece);
                    }
                }))
                .expectNext("a", "b")
                .expectComplete()
                .verify(SOON);

        assertThat(seen).containsExactly("a", "b");
    }

    @Test
    void namesTheCheckpointInItsErrors() {
        StepVerifier.create(Flux.just("a")
                        .transform(Stage.operator(FailsInFeed::new))
                        .checkpoint("after the stage"))
                .expectErrorSatisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("after the stage"))
                .verify(SOON);
    }

    @Test
    void isSeenByAssemblyHooksOnce() {
        List<Object> assembled = new ArrayList<>();
        Flux<String> source = Flux.just("a");
        Hooks.onEachOperator(publisher -> {
            assembled.add(publisher);
            return publisher;
        });

        Flux<String> staged = source.transform(passThrough());

        assertThat(assembled).containsExactly(staged);
    }

    @Test
    void scansTheOperator() {
        Flux<String> source = Flux.just("a");
        Scannable staged = Scannable.from(source.transform(passThrough()));

        assertThat(staged.scan(Scannable.Attr.PARENT)).isSameAs(source);
        assertThat(staged.scan(Scannable.Attr.RUN_STYLE)).isSameAs(Scannable.Attr.RunStyle.SYNC);
    }

    @Test
    void scansTheSubscriber() {
        TestPublisher<String> upstream = TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);
        Receiver receiver = new Receiver();
        upstream.flux().transform(split()).subscribe(receiver);
        Scannable scanned = Scannable.from(receiver.s);

        assertThat(scanned.scan(Scannable.Attr.ACTUAL)).isSameAs(receiver);
        assertThat(scanned.scan(Scannable.Attr.PARENT)).isNotNull();
        assertThat(scanned.scan(Scannable.Attr.RUN_STYLE)).isSameAs(Scannable.Attr.RunStyle.SYNC);
        assertThat(scanned.scan(Scannable.Attr.TERMINATED)).isFalse();
        assertThat(scanned.scan(Scannable.Attr.CANCELLED)).isFalse();
        assertThat(scanned.scan(Scannable.Attr.ERROR)).isNull();
    }

    @Test
    void scansDemandAndWhatIsBuffered() {
        TestPublisher<String> upstream = TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);
        Receiver receiver = new Receiver();
        upstream.flux().transform(split()).subscribe(receiver);
        Scannable scanned = Scannable.from(receiver.s);

        upstream.next("abc");
        assertThat(scanned.scan(Scannable.Attr.BUFFERED)).isOne();
        receiver.s.request(5);
        assertThat(scanned.scan(Scannable.Attr.BUFFERED)).isZero();
        assertThat(scanned.scan(Scannable.Attr.REQUESTED_FROM_DOWNSTREAM)).isEqualTo(2);
    }

    @Test
    void scansThePieceThatWasPolledAhead() {
        Receiver receiver = new Receiver();
        Flux.just("abc").transform(split()).subscribe(receiver);

        receiver.s.request(1); // the source is complete by then, so "b" is polled ahead

        assertThat(Scannable.from(receiver.s).scan(Scannable.Attr.BUFFERED)).isOne();
    }

    @Test
    void scansAFailedSubscriber() {
        Receiver receiver = new Receiver();
        Boom boom = new Boom();
        Flux.<String>error(boom).transform(split()).subscribe(receiver);
        Scannable scanned = Scannable.from(receiver.s);

        assertThat(scanned.scan(Scannable.Attr.TERMINATED)).isTrue();
        assertThat(scanned.scan(Scannable.Attr.ERROR)).isSameAs(boom);
    }

    @Test
    void scansACancelledSubscriber() {
        Receiver receiver = new Receiver();
        Flux.<String>never().transform(split()).subscribe(receiver);

        receiver.s.cancel();

        assertThat(Scannable.from(receiver.s).scan(Scannable.Attr.CANCELLED)).isTrue();
    }

    private Flux<String> watched(TestPublisher<String> upstream) {
        return watched(upstream.flux());
    }

    private Flux<String> watched(Flux<String> upstream) {
        return upstream.doOnRequest(requests::add);
    }

    private static Function<Flux<String>, Flux<String>> passThrough() {
        return Stage.operator(PassThrough::new);
    }

    private static Function<Flux<String>, Flux<String>> split() {
        return Stage.operator(Splitter::new);
    }

    private static Function<Flux<String>, Flux<String>> gather(int count) {
        return Stage.operator(() -> new Gatherer(count));
    }

    private static Function<Flux<String>, Flux<String>> enclose() {
        return Stage.operator(Enclosed::new);
    }

    /** Lets a test call the subscription itself, which Reactor's own subscribers guard. */
    private static class Receiver implements CoreSubscriber<String>, Scannable {

        final List<String> pieces = new ArrayList<>();
        final List<Object> discarded = new ArrayList<>();
        final List<Throwable> dropped = new ArrayList<>();
        Subscription s;
        Throwable error;
        boolean completed;

        @Override
        public Context currentContext() {
            return Context.of(
                    "reactor.onDiscard.local", (Consumer<Object>) discarded::add,
                    "reactor.onErrorDropped.local", (Consumer<Throwable>) dropped::add);
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            s = subscription;
        }

        @Override
        public void onNext(String piece) {
            pieces.add(piece);
        }

        @Override
        public void onError(Throwable e) {
            error = e;
        }

        @Override
        public void onComplete() {
            completed = true;
        }

        @Override
        @SuppressWarnings("rawtypes")
        public Object scanUnsafe(Attr key) {
            return null;
        }
    }

    private static final class Boom extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static class FailsInFeed extends PassThrough<String> {
        @Override
        public void feed(String buffer) {
            throw new Boom();
        }
    }

    /** Writes down the calls that a stage gets. */
    private static final class Recording<T> implements Stage<T, T> {

        final Queue<String> calls = new ArrayDeque<>();
        private final Stage<T, T> stage;

        Recording(Stage<T, T> stage) {
            this.stage = stage;
        }

        @Override
        public void feed(T buffer) {
            calls.add("feed " + buffer);
            stage.feed(buffer);
        }

        @Override
        public void end() {
            calls.add("end");
            stage.end();
        }

        @Override
        public T poll() {
            return stage.poll();
        }

        @Override
        public void discard(Consumer<Object> sink) {
            calls.add("discard");
            stage.discard(sink);
        }
    }

    private record CountedSubscription(AtomicInteger cancels) implements Subscription {
        @Override
        public void request(long n) {}

        @Override
        public void cancel() {
            cancels.incrementAndGet();
        }
    }
}
