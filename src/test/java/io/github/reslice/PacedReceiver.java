package io.github.reslice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** Asks anew when it has got what it asked for, and notices when more comes. */
public final class PacedReceiver<T> extends BaseSubscriber<T> {

    private final LongSupplier demand;
    private final List<T> received = new ArrayList<>();
    private long left;
    private boolean overrun;
    private boolean completed;
    private @Nullable Throwable failure;

    public PacedReceiver(LongSupplier demand) {
        this.demand = demand;
    }

    /** What came in a stream that has completed. */
    public List<T> completed() {
        assertThat(failure).isNull();
        assertThat(completed).isTrue();
        return received();
    }

    /** What has come by now, which is never more than was asked for. */
    public List<T> received() {
        assertThat(overrun).as("more came than was asked for").isFalse();
        return received;
    }

    /** The error that ended the stream. */
    public Throwable failure() {
        assertThat(failure).isNotNull();
        assertThat(completed).isFalse();
        return failure;
    }

    @Override
    protected void hookOnSubscribe(Subscription s) {
        ask();
    }

    @Override
    protected void hookOnNext(T piece) {
        received.add(piece);
        overrun |= left <= 0;
        if (--left == 0) {
            ask();
        }
    }

    private void ask() {
        left = demand.getAsLong();
        if (left > 0) {
            request(left);
        }
    }

    @Override
    protected void hookOnError(Throwable t) {
        failure = t;
    }

    @Override
    protected void hookOnComplete() {
        completed = true;
    }
}
