package io.github.reslice.stage;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/**
 * Sends buffers as a test lets them go and as they are asked for, on whichever thread comes first, one after the other as
 * the specification wants it.
 */
final class PacedSource extends Flux<String> implements Subscription {

    private final Ledger ledger;
    private final int buffers;
    private final int bufferSize;
    private final AtomicInteger released = new AtomicInteger();
    private final AtomicLong requested = new AtomicLong();
    private final AtomicInteger wip = new AtomicInteger();
    private final AtomicBoolean askedAhead = new AtomicBoolean();
    private volatile boolean cancelled;
    private volatile boolean finished;
    private volatile @Nullable Throwable error;
    private volatile int sent;
    private boolean ended;

    @SuppressWarnings("NullAway.Init") // comes with subscribe, before any use
    private CoreSubscriber<? super String> actual;

    PacedSource(Ledger ledger, int buffers, int bufferSize) {
        this.ledger = ledger;
        this.buffers = buffers;
        this.bufferSize = bufferSize;
    }

    @Override
    public void subscribe(CoreSubscriber<? super String> subscriber) {
        actual = subscriber;
        subscriber.onSubscribe(this);
    }

    void release(int count) {
        released.addAndGet(count);
        drain();
    }

    void complete() {
        finished = true;
        drain();
    }

    void fail(Throwable e) {
        error = e;
        complete();
    }

    /** Whether more than one buffer was ever asked for at a time, other than by asking for everything. */
    boolean wasAskedAhead() {
        return askedAhead.get();
    }

    boolean isCancelled() {
        return cancelled;
    }

    @Override
    public void request(long n) {
        long before = requested.get();
        if (n != Long.MAX_VALUE && before != Long.MAX_VALUE && before + n - sent > 1) {
            askedAhead.set(true);
        }
        requested.accumulateAndGet(n, Operators::addCap);
        drain();
    }

    @Override
    public void cancel() {
        cancelled = true;
    }

    private void drain() {
        if (wip.getAndIncrement() != 0) {
            return;
        }
        int missed = 1;
        do {
            send();
            missed = wip.addAndGet(-missed);
        } while (missed != 0);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // of sent, which only the guard's holder writes
    private void send() {
        while (!cancelled && !ended) {
            boolean last = finished;
            int available = Math.min(released.get(), buffers);
            if (sent < available && sent < requested.get()) {
                String buffer = Ledger.text(sent * bufferSize, bufferSize);
                ledger.sent(buffer);
                sent++;
                actual.onNext(buffer);
            } else if (sent == available && last) {
                ended = true;
                Throwable e = error;
                if (e == null) {
                    actual.onComplete();
                } else {
                    actual.onError(e);
                }
            } else {
                return;
            }
        }
    }
}
