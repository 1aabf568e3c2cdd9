package io.github.reslice;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.awschunked.Pool;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.test.publisher.TestPublisher;
import reactor.util.context.Context;

/** Every pooled buffer is handed on, discarded or released exactly once. The pool itself refuses a second release. */
class ResliceReleaseTest {

    private final Pool pool = new Pool();

    @Test
    void releasesEmptyBuffers() {
        reslice(4, 0, 4, 0).request(Long.MAX_VALUE);

        assertThat(pool.live()).isEmpty();
    }

    @Test
    void releasesBuffersWhoseBytesWereJoined() {
        reslice(8, 3, 3, 3, 3).request(Long.MAX_VALUE);

        assertThat(pool.live()).isEmpty();
    }

    @Test
    void releasesTheShorterBufferThatIsJoinedAtTheEnd() {
        reslice(8, 3, 3).request(Long.MAX_VALUE);

        assertThat(pool.live()).isEmpty();
    }

    @Test
    void releasesAJoinedPieceThatWasPolledAhead() {
        TestPublisher<Pool.Buffer> upstream =
                TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);
        Receiver receiver = new Receiver();
        upstream.flux().transform(Reslice.toSize(pool, 4)).subscribe(receiver);

        receiver.request(1);
        upstream.next(pool.allocate(new byte[5], 0, 5, 5));
        upstream.next(pool.allocate(new byte[3], 0, 3, 3));
        upstream.complete(); // what is left of both is joined and polled ahead
        receiver.cancel();

        assertThat(receiver.pieces).isOne();
        assertThat(pool.live()).isEmpty();
    }

    @Test
    void releasesAllWhereverItIsCancelled() {
        int[] sizes = {3, 0, 4, 1, 1, 9, 2, 16, 5, 4, 3};
        for (int wanted = 0; wanted < 13; wanted++) {
            Receiver receiver = reslice(4, sizes);
            for (int i = 0; i < wanted; i++) {
                receiver.request(1);
            }
            receiver.cancel();
            receiver.unsent.forEach(pool::release);

            assertThat(receiver.pieces).isEqualTo(Math.min(wanted, 12));
            assertThat(pool.live()).as("cancelled after %d pieces", wanted).isEmpty();
        }
    }

    private Receiver reslice(int size, int... sizes) {
        Receiver receiver = new Receiver();
        for (int bytes : sizes) {
            receiver.unsent.add(pool.allocate(new byte[bytes], 0, bytes, bytes + 10));
        }
        Flux<Pool.Buffer> source = Flux.generate(sink -> {
            sink.next(receiver.unsent.remove());
            if (receiver.unsent.isEmpty()) {
                sink.complete();
            }
        });
        source.transform(Reslice.toSize(pool, size)).subscribe(receiver);
        return receiver;
    }

    private final class Receiver extends BaseSubscriber<Pool.Buffer> {

        private final Queue<Pool.Buffer> unsent = new ArrayDeque<>();
        private int pieces;

        @Override
        public Context currentContext() {
            return Operators.enableOnDiscard(Context.empty(), held -> pool.release((Pool.Buffer) held));
        }

        @Override
        protected void hookOnSubscribe(Subscription s) {}

        @Override
        protected void hookOnNext(Pool.Buffer piece) {
            pool.release(piece);
            pieces++;
        }
    }
}
