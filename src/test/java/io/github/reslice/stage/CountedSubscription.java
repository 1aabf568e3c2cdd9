package io.github.reslice.stage;

import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Subscription;

/** Counts cancellations. */
record CountedSubscription(AtomicInteger cancels) implements Subscription {
    @Override
    public void request(long n) {}

    @Override
    public void cancel() {
        cancels.incrementAndGet();
    }
}
