package io.github.reslice;

import java.util.function.Consumer;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

/** One body to a receiver that asks piece by piece, and cancels after some. */
public final class Transfer<B> extends BaseSubscriber<B> {

    private final int wanted;
    private final Consumer<? super B> use;
    private int pieces;
    private String end = "cancelled";

    public Transfer(int wanted, Consumer<? super B> use) {
        this.wanted = wanted;
        this.use = use;
    }

    /** How it ended: completed, cancelled, or the error's message. */
    public String run(Flux<B> body) {
        body.subscribe(this);
        return end;
    }

    @Override
    protected void hookOnSubscribe(Subscription s) {
        askOrCancel();
    }

    @Override
    protected void hookOnNext(B piece) {
        use.accept(piece);
        pieces++;
        askOrCancel();
    }

    private void askOrCancel() {
        if (pieces < wanted) {
            request(1);
        } else {
            cancel();
        }
    }

    @Override
    protected void hookOnComplete() {
        end = "completed";
    }

    @Override
    protected void hookOnError(Throwable t) {
        end = String.valueOf(t.getMessage());
    }
}
