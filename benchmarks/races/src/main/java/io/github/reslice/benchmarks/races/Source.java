package io.github.reslice.benchmarks.races;

import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** A source that gives what a test tells it to, or by itself what it is asked for, on the thread that asks. */
final class Source extends Flux<Buffer> implements Subscription {

    private final Ledger ledger;
    private final Room room;
    private final int length;
    private CoreSubscriber<? super Buffer> actual;
    private long asked;
    private int made;
    private volatile boolean cancelled;

    /** One that answers by itself, with so many buffers; or a silent one for zero. */
    Source(Ledger ledger, int length) {
        this.ledger = ledger;
        this.length = length;
        room = new Room("the source's request", ledger);
    }

    @Override
    public void subscribe(CoreSubscriber<? super Buffer> subscriber) {
        actual = subscriber;
        subscriber.onSubscribe(this);
    }

    @Override
    public void request(long n) {
        room.enter();
        asked = asked + n < 0 ? Long.MAX_VALUE : asked + n;
        while (made < length && made < asked && !cancelled) {
            emit();
            if (made == length) {
                complete();
            }
        }
        room.leave();
    }

    @Override
    public void cancel() {
        cancelled = true;
    }

    void emit() {
        actual.onNext(Buffer.nth(made++));
    }

    void complete() {
        actual.onComplete();
    }

    void fail() {
        actual.onError(new Boom());
    }

    int units() {
        return made * Buffer.UNITS;
    }

    long asked() {
        return asked;
    }

    boolean isCancelled() {
        return cancelled;
    }
}
