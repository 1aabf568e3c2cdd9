package io.github.reslice.awschunked;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.stage.Stage;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.function.Function;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** One body in pooled buffers through a stage, whose receiver asks piece by piece and cancels after some. */
final class PooledTransfer extends BaseSubscriber<Pool.Buffer> {

    private final Pool pool = new Pool();
    private final Function<Pool, Stage<Pool.Buffer, Pool.Buffer>> stage;
    private final Deque<Pool.Buffer> buffers;
    private final int piecesWanted;
    private int pieces;
    private String end = "cancelled";

    PooledTransfer(
            Function<Pool, Stage<Pool.Buffer, Pool.Buffer>> stage,
            Function<Pool, ? extends Collection<Pool.Buffer>> source,
            int piecesWanted) {
        this.stage = stage;
        buffers = new ArrayDeque<>(source.apply(pool));
        this.piecesWanted = piecesWanted;
    }

    /** How it ended: completed, cancelled, or the error's message. Nothing of the pool is live by then. */
    String run() {
        return run(-1);
    }

    /** The same with a source that fails after so many buffers. */
    String runFailingAfter(int buffersBeforeFailure) {
        return run(buffers.size() - buffersBeforeFailure);
    }

    private String run(int leftAtFailure) {
        Flux<Pool.Buffer> source = Flux.generate(sink -> {
            if (buffers.size() == leftAtFailure) {
                sink.error(new IllegalStateException("the source failed"));
            } else if (buffers.isEmpty()) {
                sink.complete();
            } else {
                sink.next(buffers.remove());
            }
        });
        source.transform(Stage.operator(() -> stage.apply(pool))).subscribe(this);
        buffers.forEach(pool::release);
        assertThat(pool.live()).as("after %s pieces: %s", pieces, end).isEmpty();
        return end;
    }

    @Override
    public Context currentContext() {
        return Operators.enableOnDiscard(Context.empty(), held -> pool.release((Pool.Buffer) held));
    }

    @Override
    protected void hookOnSubscribe(Subscription s) {
        askOrCancel();
    }

    @Override
    protected void hookOnNext(Pool.Buffer piece) {
        pool.release(piece);
        pieces++;
        askOrCancel();
    }

    private void askOrCancel() {
        if (pieces < piecesWanted) {
            request(1);
        } else {
            cancel();
        }
    }

    @Override
    protected void hookOnComplete() {
        end = "completed";
    }

    @Override
    protected void hookOnError(Throwable t) {
        end = String.valueOf(t.getMessage());
    }
}
