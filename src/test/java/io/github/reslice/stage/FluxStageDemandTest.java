package io.github.reslice.stage;

import static io.github.reslice.stage.Enclosed.enclose;
import static io.github.reslice.stage.Gatherer.gather;
import static io.github.reslice.stage.PassThrough.passThrough;
import static io.github.reslice.stage.Splitter.split;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Scannable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SignalType;
import reactor.test.StepVerifier;
import reactor.test.StepVerifierOptions;
import reactor.test.publisher.TestPublisher;

/** What is asked for and given, up to completion. */
class FluxStageDemandTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    private final List<Long> requests = new ArrayList<>();

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
        ManualReceiver receiver = new ManualReceiver();
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
        ManualReceiver receiver = new ManualReceiver();
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
        ManualReceiver receiver = new ManualReceiver() {
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

    private Flux<String> watched(TestPublisher<String> upstream) {
        return watched(upstream.flux());
    }

    private Flux<String> watched(Flux<String> upstream) {
        return upstream.doOnRequest(requests::add);
    }
}
