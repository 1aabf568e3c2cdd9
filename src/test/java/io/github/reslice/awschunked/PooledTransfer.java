package io.github.reslice.awschunked;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.Transfer;
import io.github.reslice.stage.Stage;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/** One body in pooled buffers through a stage, whose receiver asks piece by piece and cancels after some. */
final class PooledTransfer {

    private final Pool pool = new Pool();
    private final Function<Pool, Stage<Pool.Buffer, Pool.Buffer>> stage;
    private final Deque<Pool.Buffer> buffers;
    private final int piecesWanted;

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
        String end = new Transfer<Pool.Buffer>(piecesWanted, pool::release)
                .run(source.transform(Stage.operator(() -> stage.apply(pool)))
                        .contextWrite(context ->
                                Operators.enableOnDiscard(context, held -> pool.release((Pool.Buffer) held))));
        buffers.forEach(pool::release);
        assertThat(pool.live())
                .as("after at most %s pieces: %s", piecesWanted, end)
                .isEmpty();
        return end;
    }
}
