package io.github.reslice.benchmarks;

import java.nio.ByteBuffer;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/** Counts the bytes that it gets, and asks for a batch of pieces whenever it has got all of the batch before. */
final class Receiver implements CoreSubscriber<ByteBuffer> {

    private final long batch;
    private Subscription subscription;
    private long outstanding;
    private long bytes;
    private boolean complete;

    private Receiver(long batch) {
        this.batch = batch;
    }

    /** Receives a body, asking for everything at the start. */
    static long allAtOnce(Publisher<ByteBuffer> body) {
        return receive(body, Long.MAX_VALUE);
    }

    /** Receives a body, asking for 64 pieces, and for 64 more when they are there. */
    static long by64(Publisher<ByteBuffer> body) {
        return receive(body, 64);
    }

    private static long receive(Publisher<ByteBuffer> body, long batch) {
        Receiver receiver = new Receiver(batch);
        body.subscribe(receiver);
        if (!receiver.complete) {
            throw new IllegalStateException("The body has not ended, after bytes: " + receiver.bytes);
        }
        return receiver.bytes;
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
