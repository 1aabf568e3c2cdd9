package io.github.reslice.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.Effort;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/**
 * Two threads signal at once, over and over in one stream. Once both calls have returned, all that they bring about has
 * happened, so a signal that went missing shows in its own round.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a broken guard may also never end
class LostSignalTest {

    private static final int ROUNDS = Effort.cases(8_000, 400_000);
    private static final int MOST_DELAY = 120;

    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger given = new AtomicInteger();

    @Test
    void noSignalIsLostWhenARequestMeetsABuffer() {
        Upstream upstream = new Upstream();
        Receiver receiver = new Receiver();
        upstream.transform(Stage.operator(PassThrough::new)).subscribe(receiver);
        receiver.s.request(1);

        race(() -> receiver.s.request(1), () -> upstream.actual.onNext("a"), round -> {
            assertThat(given).as("pieces given by round %d", round).hasValue(round);
            assertThat(asked).as("buffers asked for by round %d", round).hasValue(round + 1);
        });
    }

    @Test
    void noSignalIsLostWhenARequestMeetsARequest() {
        Upstream upstream = new Upstream() {
            @Override
            public void request(long n) {
                super.request(n);
                actual.onNext("a");
            }
        };
        Receiver receiver = new Receiver();
        upstream.transform(Stage.operator(PassThrough::new)).subscribe(receiver);

        race(
                () -> receiver.s.request(1),
                () -> receiver.s.request(1),
                round -> assertThat(given).as("pieces given by round %d", round).hasValue(2 * round));
    }

    /** Runs both at once, one of them a little later in each round; then the check. */
    private static void race(Runnable here, Runnable there, IntConsumer check) {
        AtomicInteger arrived = new AtomicInteger();
        AtomicInteger finished = new AtomicInteger();
        Thread other = new Thread(() -> {
            for (int round = 1; round <= ROUNDS; round++) {
                meet(arrived, round, -offset(round));
                there.run();
                finished.set(round);
            }
        });
        other.setDaemon(true);
        other.start();
        for (int round = 1; round <= ROUNDS; round++) {
            meet(arrived, round, offset(round));
            here.run();
            await(finished, round);
            check.accept(round);
        }
    }

    private static int offset(int round) {
        return round % (2 * MOST_DELAY) - MOST_DELAY;
    }

    private static void meet(AtomicInteger arrived, int round, int delay) {
        arrived.incrementAndGet();
        await(arrived, 2 * round);
        for (int left = delay; left > 0; left--) {
            arrived.get();
        }
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

    private final class Receiver implements CoreSubscriber<String> {

        @SuppressWarnings("NullAway.Init") // comes with onSubscribe, before any use
        Subscription s;

        @Override
        public void onSubscribe(Subscription subscription) {
            s = subscription;
        }

        @Override
        public void onNext(String piece) {
            given.incrementAndGet();
        }

        @Override
        public void onError(Throwable e) {
            throw new AssertionError(e);
        }

        @Override
        public void onComplete() {}
    }
}
