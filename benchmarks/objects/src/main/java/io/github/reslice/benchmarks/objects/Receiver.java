package io.github.reslice.benchmarks.objects;

import io.netty.buffer.ByteBuf;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/** Releases each piece at once, and counts their bytes. */
final class Receiver implements CoreSubscriber<ByteBuf> {

    private final long demand;
    private Subscription s;
    private long left;
    private long bytes;
    private boolean completed;

    Receiver(long demand) {
        this.demand = demand;
    }

    @Override
    public void onSubscribe(Subscription s) {
        this.s = s;
        bytes = 0;
        completed = false;
        left = demand;
        s.request(demand);
    }

    @Override
    public void onNext(ByteBuf piece) {
        bytes += piece.readableBytes();
        piece.release();
        if (--left == 0) {
            left = demand;
            s.request(demand);
        }
    }

    @Override
    public void onError(Throwable t) {
        throw new IllegalStateException(t);
    }

    @Override
    public void onComplete() {
        completed = true;
    }

    void require(long expected) {
        if (!completed || bytes != expected) {
            throw new IllegalStateException(
                    "Expected a complete body of " + expected + " bytes, came " + bytes + ", complete: " + completed);
        }
    }
}
