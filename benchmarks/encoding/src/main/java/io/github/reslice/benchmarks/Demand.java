package io.github.reslice.benchmarks;

import java.nio.ByteBuffer;
import org.reactivestreams.Publisher;

/** How a receiver asks for pieces. */
public enum Demand {
    ALL_AT_ONCE(Long.MAX_VALUE),
    /** For 64, and for 64 more when they are there. */
    BY_64(64),
    ONE_BY_ONE(1);

    private final long batch;

    Demand(long batch) {
        this.batch = batch;
    }

    /** Receives a body and says how many bytes it had. */
    long receive(Publisher<ByteBuffer> body) {
        Receiver receiver = new Receiver(batch);
        body.subscribe(receiver);
        return receiver.bytes();
    }
}
