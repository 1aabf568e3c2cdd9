package io.github.reslice.benchmarks;

import java.nio.ByteBuffer;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/** Counts the bytes that it gets, and asks for a batch of pieces whenever it has got all of the batch before. */
final class Receiver implements CoreSubscriber<ByteBuffer> {

    private final long batch;
    private Subscription subscription;
    private long outstanding;
    private long bytes;
    private boolean complete;

    Receiver(long batch) {
        this.batch = batch;
    }

    /** All bytes of the body, which must have ended. */
    long bytes() {
        if (!complete) {
            throw new IllegalStateException("The body has not ended, after bytes: " + bytes);
        }
        return bytes;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        this.subscription = subscription;
        outstanding = batch;
        subscription.request(batch);
    }

    @Override
    public void onNext(ByteBuffer piece) {
        bytes += piece.remaining();
        if (--outstanding == 0) {
            outstanding = batch;
            subscription.request(batch);
        }
    }

    @Override
    public void onError(Throwable e) {
        throw new IllegalStateException(e);
    }

    @Override
    public void onComplete() {
        complete = true;
    }
}
