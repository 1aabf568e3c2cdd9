package io.github.reslice.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.Effort;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/**
 * Two threads signal at once, over and over in one stream. Once both calls have returned, all that they bring about has
 * happened, so a signal that went missing shows in its own round.
 */
@Timeout(
        value = 10,
        unit = TimeUnit.MINUTES,
        threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a broken guard may never end
class LostSignalTest {

    private static final int ROUNDS = Effort.cases(5_000, 400_000);
    private static final int MOST_DELAY = 120;
    private static final int MEETINGS = Effort.cases(20_000, 500_000);
    private static final int PATIENCE = 10_000;
    private static final int SIGNALS = 2_000;
    private static final int MOST_GAP = 20;

    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger given = new AtomicInteger();

    @Test
    void noSignalIsLostWhenARequestMeetsABuffer() {
        Upstream upstream = new Upstream();
        Receiver receiver = new Receiver();
        upstream.transform(Stage.operator(PassThrough::new)).subscribe(receiver);
        receiver.s.request(1);

        race(round -> round <= ROUNDS, () -> receiver.s.request(1), () -> upstream.actual.onNext("a"), round -> {
            assertThat(given).as("pieces given by round %d", round).hasValue(round);
            assertThat(asked).as("buffers asked for by round %d", round).hasValue(round + 1);
        });
    }

    @Test
    void noSignalIsLostWhenARequestMeetsARequest() {
        Upstream upstream = new AnsweringUpstream();
        Receiver receiver = new Receiver();
        upstream.transform(Stage.operator(PassThrough::new)).subscribe(receiver);

        race(
                round -> round <= ROUNDS,
                () -> receiver.s.request(1),
                () -> receiver.s.request(1),
                round -> assertThat(given).as("pieces given by round %d", round).hasValue(2 * round));
    }

    /**
     * The guard is weakest where one thread leaves it as the other comes, so there are gaps between the signals. On a busy
     * machine two threads seldom run at once: this goes on until the guard has changed hands within rounds often enough, or for very many rounds.
     */
    @Test
    void noSignalIsLostWhenManyRequestsMeet() {
        Upstream upstream = new AnsweringUpstream();
        Receiver receiver = new Receiver();
        upstream.transform(Stage.operator(PassThrough::new)).subscribe(receiver);
        AtomicInteger met = new AtomicInteger();

        race(
                round -> met.get() < MEETINGS && round <= PATIENCE,
                receiver::requestMany,
                receiver::requestMany,
                round -> {
                    assertThat(given).as("pieces given by round %d", round).hasValue(2 * SIGNALS * round);
                    met.addAndGet(
                            Math.max(0, receiver.handovers - 2)); // one after the other, they hand over twice at most
                    receiver.handovers = 0;
                });
    }

    /** Runs both at once, one of them a little later in each round; then the check. */
    private static void race(IntPredicate goesOn, Runnable here, Runnable there, IntConsumer check) {
        AtomicInteger arrived = new AtomicInteger();
        AtomicInteger finished = new AtomicInteger();
        Thread other = new Thread(() -> {
            for (int round = 1; meet(arrived, round, -offset(round)); round++) {
                there.run();
                finished.set(round);
            }
        });
        other.setDaemon(true);
        other.start();
        for (int round = 1; goesOn.test(round); round++) {
            meet(arrived, round, offset(round));
            here.run();
            await(finished, round);
            check.accept(round);
        }
        other.interrupt();
    }

    private static int offset(int round) {
        return round % (2 * MOST_DELAY) - MOST_DELAY;
    }

    /** False if nobody comes any more. */
    private static boolean meet(AtomicInteger arrived, int round, int delay) {
        arrived.incrementAndGet();
        await(arrived, 2 * round);
        for (int left = delay; left > 0; left--) {
            arrived.get();
        }
        return !Thread.currentThread().isInterrupted();
    }

    private static void await(AtomicInteger counter, int value) {
        for (int spins = 1; counter.get() < value && !Thread.currentThread().isInterrupted(); spins++) {
            if (spins % 1000 == 0) {
                LockSupport.parkNanos(1);
            }
        }
    }

    /** Counts what it is asked for; a test sends by itself. */
    private class Upstream extends Flux<String> implements Subscription {

        @SuppressWarnings("NullAway.Init") // comes with subscribe, before any use
        CoreSubscriber<? super String> actual;

        @Override
        public void subscribe(CoreSubscriber<? super String> subscriber) {
            actual = subscriber;
            subscriber.onSubscribe(this);
        }

        @Override
        public void request(long n) {
            asked.addAndGet((int) n);
        }

        @Override
        public void cancel() {}
    }

    /** Sends as soon as it is asked. */
    private final class AnsweringUpstream extends Upstream {

        @Override
        public void request(long n) {
            super.request(n);
            actual.onNext("a");
        }
    }

    private final class Receiver implements CoreSubscriber<String> {

        int handovers;
        private Thread giver = Thread.currentThread();

        @SuppressWarnings("NullAway.Init") // comes with onSubscribe, before any use
        Subscription s;

        void requestMany() {
            Random gaps = new Random(Thread.currentThread().getId());
            for (int i = 0; i < SIGNALS; i++) {
                s.request(1);
                for (int left = gaps.nextInt(MOST_GAP); left > 0; left--) {
                    Thread.onSpinWait();
                }
            }
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            s = subscription;
        }

        @Override
        public void onNext(String piece) {
            given.incrementAndGet();
            if (giver != Thread.currentThread()) {
                giver = Thread.currentThread();
                handovers++;
            }
        }

        @Override
        public void onError(Throwable e) {
            throw new AssertionError(e);
        }

        @Override
        public void onComplete() {}
    }
}
