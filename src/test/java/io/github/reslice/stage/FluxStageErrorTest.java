package io.github.reslice.stage;

import static io.github.reslice.stage.Enclosed.enclose;
import static io.github.reslice.stage.Splitter.split;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** Errors of upstream and of the stage, and what becomes of what is held then. */
class FluxStageErrorTest {

    private static final Duration SOON = Duration.ofSeconds(10);

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
        ManualReceiver receiver = new ManualReceiver();
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
        ManualReceiver receiver = new ManualReceiver();
        Flux.just("abc").transform(Stage.operator(failsInDiscardUnsent)).subscribe(receiver);

        receiver.s.request(1); // the source is complete by then, so "b" is polled ahead
        receiver.s.cancel();

        assertThat(receiver.discarded).containsExactly("c");
        assertThat(receiver.dropped).singleElement().isInstanceOf(IllegalStateException.class);
    }

    @Test
    void discardsAPieceThatWasPolledAheadWithTheRest() {
        ManualReceiver receiver = new ManualReceiver();
        Flux.just("abc").transform(split()).subscribe(receiver);

        receiver.s.request(1); // the source is complete by then, so "b" is polled ahead
        receiver.s.cancel();

        assertThat(receiver.discarded).containsExactly("bc");
    }

    @Test
    void discardsNoFramingThatWasPolledAhead() {
        ManualReceiver receiver = new ManualReceiver();
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
}
