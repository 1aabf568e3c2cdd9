package io.github.reslice.benchmarks.races;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** Asks and cancels when a test tells it to, and notices what a receiver need not put up with. */
final class Receiver implements CoreSubscriber<Buffer> {

    private static final String ON_ERROR_DROPPED = "reactor.onErrorDropped.local";

    private final Ledger ledger;
    private final Room room;
    private final Context context;
    private final AtomicLong wanted = new AtomicLong();
    private final AtomicInteger errorsDropped = new AtomicInteger();
    private Subscription subscription;
    private int pieces;
    private String end;

    Receiver(Ledger ledger) {
        this.ledger = ledger;
        room = new Room("the receiver", ledger);
        Consumer<Throwable> countError = e -> errorsDropped.incrementAndGet();
        context = Operators.enableOnDiscard(Context.of(ON_ERROR_DROPPED, countError), ledger::discarded);
    }

    @Override
    public Context currentContext() {
        return context;
    }

    @Override
    public void onSubscribe(Subscription s) {
        subscription = s;
    }

    @Override
    public void onNext(Buffer piece) {
        room.enter();
        if (end != null) {
            ledger.broken("a piece after the end");
        }
        if (piece.first() != pieces) {
            ledger.broken("unit " + piece.first() + " as piece " + pieces);
        }
        pieces++;
        if (pieces > wanted.get()) {
            ledger.broken("a piece that nobody asked for");
        }
        ledger.given(piece);
        room.leave();
    }

    @Override
    public void onError(Throwable t) {
        end(t instanceof Boom ? "failed" : "refused");
    }

    @Override
    public void onComplete() {
        end("complete");
    }

    private void end(String how) {
        room.enter();
        if (end != null) {
            ledger.broken(how + " after " + end);
        }
        end = how;
        room.leave();
    }

    void request(long n) {
        wanted.accumulateAndGet(n, Operators::addCap);
        subscription.request(n);
    }

    /** Breaks the rule that demand is positive. */
    void requestNothing() {
        subscription.request(0);
    }

    void cancel() {
        subscription.cancel();
    }

    int errorsDropped() {
        return errorsDropped.get();
    }

    @Override
    public String toString() {
        return pieces + " pieces, " + (end == null ? "open" : end);
    }
}
