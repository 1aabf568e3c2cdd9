package io.github.reslice.stage;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.util.context.Context;

/** Lets a test call the subscription itself, which Reactor's own subscribers guard. */
class ManualReceiver implements CoreSubscriber<String>, Scannable {

    final List<String> pieces = new ArrayList<>();
    final List<Object> discarded = new ArrayList<>();
    final List<Throwable> dropped = new ArrayList<>();
    Subscription s;
    Throwable error;
    boolean completed;

    @Override
    public Context currentContext() {
        return Context.of(
                "reactor.onDiscard.local", (Consumer<Object>) discarded::add,
                "reactor.onErrorDropped.local", (Consumer<Throwable>) dropped::add);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        s = subscription;
    }

    @Override
    public void onNext(String piece) {
        pieces.add(piece);
    }

    @Override
    public void onError(Throwable e) {
        error = e;
    }

    @Override
    public void onComplete() {
        completed = true;
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Object scanUnsafe(Attr key) {
        return null;
    }
}
