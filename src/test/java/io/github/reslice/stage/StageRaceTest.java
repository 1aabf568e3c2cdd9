package io.github.reslice.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.Effort;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.util.RaceTestUtils;
import reactor.util.context.Context;

/** Signals that meet on several threads, over letters that are accounted for: none lost, none given or discarded twice. */
class StageRaceTest {

    private static final int ROUNDS = Effort.cases(400, 20_000);
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String ON_DISCARD = "reactor.onDiscard.local";
    private static final int BUFFERS = 5;
    private static final int BUFFER_SIZE = 3;
    private static final int LETTERS = BUFFERS * BUFFER_SIZE;

    enum Shape {
        PASS_THROUGH(PassThrough::new),
        SPLITTER(Splitter::new),
        GATHERER(() -> new Gatherer(2)),
        ENCLOSED(Enclosed::new);

        final Supplier<Stage<String, String>> stages;

        Shape(Supplier<Stage<String, String>> stages) {
            this.stages = stages;
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestAgainstRequest(Shape shape) {
        everyRound(shape, race -> {
            race.source.release(BUFFERS);
            race.source.complete();

            race.run(() -> race.receiver.request(1, 3), () -> race.receiver.request(2, 2));
            race.receiver.request(Long.MAX_VALUE, 1);

            race.assertCompleted();
        });
    }

    @ParameterizedTest
    @EnumSource
    void requestAgainstOnNext(Shape shape) {
        everyRound(shape, race -> {
            race.run(() -> race.receiver.request(1, LETTERS + 2), () -> race.release(BUFFERS), race.source::complete);
            race.source.release(BUFFERS);

            race.assertCompletedUnlessShort();
        });
    }

    @ParameterizedTest
    @EnumSource
    void exactDemandAgainstOnNextAndCompletion(Shape shape) {
        int pieces = switch (shape) {
            case PASS_THROUGH -> BUFFERS;
            case SPLITTER -> LETTERS;
            case GATHERER -> (BUFFERS + 1) / 2;
            case ENCLOSED -> BUFFERS + 2;
        };
        everyRound(shape, race -> {
            race.run(() -> race.receiver.request(1, pieces), () -> {
                race.release(BUFFERS);
                race.source.complete();
            });

            race.assertCompleted();
        });
    }

    @ParameterizedTest
    @EnumSource
    void requestOfEverythingAgainstBoundedRequestAndBurst(Shape shape) {
        everyRound(shape, race -> {
            race.run(() -> race.receiver.request(Long.MAX_VALUE, 1), () -> race.receiver.request(1, 4), () -> {
                race.release(BUFFERS);
                race.source.complete();
            });

            race.assertCompleted();
        });
    }

    @ParameterizedTest
    @EnumSource
    void cancelAgainstOnNext(Shape shape) {
        everyRound(shape, race -> {
            race.receiver.request(race.round % 2 == 0 ? Long.MAX_VALUE : 2, 1);

            race.run(race.receiver::cancel, () -> race.release(BUFFERS));

            race.assertCancelled();
        });
    }

    @ParameterizedTest
    @EnumSource
    void cancelAgainstRequest(Shape shape) {
        everyRound(shape, race -> {
            race.source.release(BUFFERS);

            race.run(race.receiver::cancel, () -> race.receiver.request(1, 4));

            race.assertCancelled();
        });
    }

    @ParameterizedTest
    @EnumSource
    void cancelAgainstRequestAndOnNext(Shape shape) {
        everyRound(shape, race -> {
            race.run(race.receiver::cancel, () -> race.receiver.request(1, 4), () -> race.release(BUFFERS));

            race.assertCancelled();
        });
    }

    @ParameterizedTest
    @EnumSource
    void cancelAgainstCancel(Shape shape) {
        everyRound(shape, race -> {
            race.source.release(BUFFERS);
            race.receiver.request(1, 1);

            race.run(race.receiver::cancel, race.receiver::cancel);

            race.assertCancelled();
        });
    }

    @ParameterizedTest
    @EnumSource
    void cancelAgainstCompletion(Shape shape) {
        everyRound(shape, race -> {
            race.source.release(BUFFERS);
            race.receiver.request(2, 1);

            race.run(race.receiver::cancel, race.source::complete);

            race.assertCancelled();
        });
    }

    @ParameterizedTest
    @EnumSource
    void cancelAgainstError(Shape shape) {
        everyRound(shape, race -> {
            race.source.release(BUFFERS);
            race.receiver.request(2, 1);

            race.run(race.receiver::cancel, () -> race.source.fail(new IllegalStateException("upstream")));

            race.assertCancelled();
        });
    }

    @ParameterizedTest
    @EnumSource
    void requestAgainstErrorNeverCompletes(Shape shape) {
        everyRound(shape, race -> {
            race.receiver.request(1, 1);

            race.run(() -> race.receiver.request(1, LETTERS + 2), () -> {
                race.release(2);
                race.source.fail(new IllegalStateException("upstream"));
            });
            race.receiver.request(Long.MAX_VALUE, 1);
            race.source.release(BUFFERS);

            race.assertFailed();
        });
    }

    /** The error comes while the drain, having asked for a buffer, looks around once more. */
    @Test
    void anErrorOnAnotherThreadNeverLooksLikeCompletion() throws InterruptedException {
        int rounds = 10 * ROUNDS;
        AtomicReference<CoreSubscriber<? super String>> asked = new AtomicReference<>();
        Flux<String> source = new Flux<>() {
            @Override
            public void subscribe(CoreSubscriber<? super String> subscriber) {
                subscriber.onSubscribe(new Subscription() {
                    @Override
                    public void request(long n) {
                        asked.set(subscriber);
                    }

                    @Override
                    public void cancel() {}
                });
            }
        };
        Thread failing = new Thread(() -> {
            for (int round = 0; round < rounds; round++) {
                CoreSubscriber<? super String> subscriber = asked.getAndSet(null);
                while (subscriber == null) {
                    Thread.onSpinWait();
                    subscriber = asked.getAndSet(null);
                }
                for (int delay = round % 50; delay > 0; delay--) {
                    Thread.onSpinWait();
                }
                subscriber.onError(new IllegalStateException("upstream"));
            }
        });
        failing.setDaemon(true);
        failing.start();

        for (int round = 0; round < rounds; round++) {
            AtomicBoolean ended = new AtomicBoolean();
            Stage<String, String> stage = new PassThrough<>() {
                @Override
                public void end() {
                    ended.set(true);
                }
            };
            Receiver receiver = new Receiver(new Ledger(0));
            source.transform(Stage.operator(() -> stage)).subscribe(receiver);
            receiver.request(1, 1);
            while (receiver.errors.get() + receiver.completions.get() == 0) {
                Thread.onSpinWait();
            }
            assertThat(receiver.completions).as("round %d", round).hasValue(0);
            assertThat(ended).as("round %d: the stage was told to end", round).isFalse();
        }
        failing.join();
    }

    @ParameterizedTest
    @EnumSource
    void badRequestAgainstOnNextAndCompletion(Shape shape) {
        everyRound(shape, race -> {
            race.receiver.request(3, 1);

            race.run(() -> race.receiver.s.request(0), () -> {
                race.release(BUFFERS);
                race.source.complete();
            });

            race.receiver.assertSerial(race.description);
            race.ledger.assertSettled(race.description);
        });
    }

    @Test
    void ownFailureAgainstBurstAndRequests() {
        for (int round = 0; round < ROUNDS; round++) {
            int failAt = round % BUFFERS;
            Supplier<Stage<String, String>> failing = () -> new PassThrough<>() {
                private int fed;

                @Override
                public void feed(String buffer) {
                    if (fed++ == failAt) {
                        throw new IllegalStateException("stage");
                    }
                    super.feed(buffer);
                }
            };
            Race race = new Race(failing, "round " + round, round);

            race.run(
                    () -> race.receiver.request(Long.MAX_VALUE, 1),
                    () -> race.receiver.request(1, 4),
                    () -> race.release(BUFFERS));

            race.assertFailed();
        }
    }

    @ParameterizedTest
    @EnumSource
    void publishedOnBothSides(Shape shape) {
        for (int round = 0; round < ROUNDS / 10; round++) {
            Ledger ledger = new Ledger(300);
            String given = published(shape, ledger, round)
                    .collectList()
                    .map(pieces -> String.join("", pieces))
                    .block(SOON);

            String description = shape + " round " + round;
            assertThat(given.replace("(", "").replace(")", "")).as(description).isEqualTo(Ledger.text(0, 300));
            ledger.assertAllGiven(description);
            ledger.assertSettled(description);
        }
    }

    @ParameterizedTest
    @EnumSource
    void publishedOnBothSidesAndCancelled(Shape shape) throws InterruptedException {
        for (int round = 0; round < ROUNDS / 10; round++) {
            Ledger ledger = new Ledger(300);
            published(shape, ledger, round).take(1 + round % 30).blockLast(SOON);

            for (int wait = 0; !ledger.isSettled() && wait < 10_000; wait++) {
                Thread.sleep(1); // discarding goes on in the threads that were cancelled
            }
            ledger.assertSettled(shape + " round " + round);
        }
    }

    private static void everyRound(Shape shape, Consumer<Race> test) {
        for (int round = 0; round < ROUNDS; round++) {
            test.accept(new Race(shape.stages, shape + " round " + round, round));
        }
    }

    /** The account is kept right before and right after the operator: publishOn may lose what it holds on a cancel. */
    private static Flux<String> published(Shape shape, Ledger ledger, int round) {
        return Flux.range(0, 100)
                .map(i -> Ledger.text(3 * i, 3))
                .publishOn(Schedulers.parallel(), 1 + round % 7)
                .contextWrite(context -> context.delete(ON_DISCARD))
                .doOnNext(ledger::sent)
                .transform(Stage.operator(shape.stages))
                .doOnNext(ledger::given)
                .contextWrite(Context.of(ON_DISCARD, (Consumer<Object>) ledger::discarded))
                .publishOn(Schedulers.parallel(), 1 + round % 5);
    }

    /** One round: a source, the operator, a receiver. */
    private static final class Race {

        final String description;
        final int round;
        final Ledger ledger = new Ledger(LETTERS);
        final PacedSource source = new PacedSource(ledger, BUFFERS, BUFFER_SIZE);
        final Receiver receiver = new Receiver(ledger);

        Race(Supplier<Stage<String, String>> stages, String description, int round) {
            this.description = description;
            this.round = round;
            source.transform(Stage.operator(stages)).subscribe(receiver);
        }

        void run(Runnable... signals) {
            RaceTestUtils.race(signals);
            assertThat(source.wasAskedAhead())
                    .as("%s: asked ahead", description)
                    .isFalse();
        }

        void release(int count) {
            for (int i = 0; i < count; i++) {
                source.release(1);
            }
        }

        void assertCompleted() {
            receiver.assertSerial(description);
            assertThat(receiver.completions).as("%s: completions", description).hasValue(1);
            assertThat(receiver.errors).as("%s: errors", description).hasValue(0);
            ledger.assertAllGiven(description);
            ledger.assertSettled(description);
        }

        /** Completion may have come before the last buffers were let go; then those were never sent. */
        void assertCompletedUnlessShort() {
            receiver.assertSerial(description);
            assertThat(receiver.completions).as("%s: completions", description).hasValue(1);
            ledger.assertSettled(description);
        }

        void assertFailed() {
            receiver.assertSerial(description);
            assertThat(receiver.completions).as("%s: completions", description).hasValue(0);
            assertThat(receiver.errors).as("%s: errors", description).hasValue(1);
            assertThat(receiver.closed)
                    .as("%s: got the piece of the end", description)
                    .isFalse();
            ledger.assertSettled(description);
        }

        void assertCancelled() {
            receiver.assertSerial(description);
            assertThat(source.isCancelled())
                    .as("%s: upstream cancelled", description)
                    .isTrue();
            ledger.assertSettled(description);
        }
    }

    /** Checks what the specification says of signals, as they come. */
    private static final class Receiver implements CoreSubscriber<String> {

        final AtomicInteger completions = new AtomicInteger();
        final AtomicInteger errors = new AtomicInteger();
        final AtomicLong allowed = new AtomicLong();
        final AtomicInteger inside = new AtomicInteger();
        private final Ledger ledger;
        // several threads write to them
        @SuppressWarnings("JdkObsolete")
        private final StringBuffer given = new StringBuffer();

        @SuppressWarnings("JdkObsolete")
        private final StringBuffer faults = new StringBuffer();

        private long pieces;
        volatile boolean closed;
        volatile Subscription s;

        Receiver(Ledger ledger) {
            this.ledger = ledger;
        }

        void request(long n, int times) {
            for (int i = 0; i < times; i++) {
                allowed.accumulateAndGet(n, (a, b) -> a + b < 0 ? Long.MAX_VALUE : a + b);
                s.request(n);
            }
        }

        void cancel() {
            s.cancel();
        }

        @Override
        public Context currentContext() {
            return Context.of(ON_DISCARD, (Consumer<Object>) ledger::discarded);
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            s = subscription;
        }

        @Override
        public void onNext(String piece) {
            enter("onNext");
            if (++pieces > allowed.get()) {
                faults.append("more than wanted; ");
            }
            if (piece.equals(Enclosed.CLOSING)) {
                closed = true;
            } else if (!piece.equals(Enclosed.OPENING)) {
                given.append(piece);
            }
            ledger.given(piece);
            inside.decrementAndGet();
        }

        @Override
        public void onError(Throwable e) {
            enter("onError");
            errors.incrementAndGet();
            inside.decrementAndGet();
        }

        @Override
        public void onComplete() {
            enter("onComplete");
            completions.incrementAndGet();
            inside.decrementAndGet();
        }

        private void enter(String signal) {
            if (inside.getAndIncrement() != 0) {
                faults.append(signal).append(" overlaps; ");
            }
            if (completions.get() + errors.get() != 0) {
                faults.append(signal).append(" after the end; ");
            }
        }

        void assertSerial(String description) {
            assertThat(faults).as(description).isEmpty();
            assertThat(given.toString()).as("%s: order", description).isEqualTo(Ledger.text(0, given.length()));
        }
    }
}
