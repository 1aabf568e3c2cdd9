package io.github.reslice.stage;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/** Carries a {@link Stage}: demand, cancellation, errors, discard and context. */
final class FluxStage<I, O> extends FluxOperator<I, O> {

    private static final Object ON_DISCARD = Operators.enableOnDiscard(Context.empty(), discarded -> {}).stream()
            .findFirst()
            .orElseThrow()
            .getKey();

    private final Supplier<? extends Stage<I, O>> stages;
    private final @Nullable BufferKind<I> kind;

    /**
     * An operator.
     *
     * @param kind releases what is discarded where the receiver has no discard hook: beside one that releases, a second release
     *     would take a reference that is somebody else's
     */
    FluxStage(Flux<I> source, Supplier<? extends Stage<I, O>> stages, @Nullable BufferKind<I> kind) {
        super(source);
        this.stages = stages;
        this.kind = kind;
    }

    @Override
    public void subscribe(CoreSubscriber<? super O> actual) {
        Stage<I, O> stage;
        try {
            stage = Objects.requireNonNull(stages.get(), "the supplier gave no stage");
        } catch (Throwable e) {
            Operators.error(actual, Operators.onOperatorError(e, actual.currentContext()));
            return;
        }
        // a strategy of onErrorContinue, which comes with the context, would leave bytes out upstream
        Context context = actual.currentContext();
        Flux<? extends I> upstream = context.isEmpty() ? source : source.onErrorStop();
        upstream.subscribe(new StageSubscriber<>(actual, stage, context.hasKey(ON_DISCARD) ? null : kind));
    }

    @Override
    @SuppressWarnings("rawtypes") // as Scannable has it
    public @Nullable Object scanUnsafe(Attr key) {
        return key == Attr.RUN_STYLE ? Attr.RunStyle.SYNC : super.scanUnsafe(key);
    }

    /**
     * All signals meet in one serialising drain, and only who holds its guard ({@code wip}) touches the stage.
     *
     * <p>Upstream is asked for one buffer at a time from inside the drain. Once the receiver wants everything, upstream is
     * asked for everything, after the guard has been let go: a source that answers at once then finds the guard free and
     * its buffers go through one by one. The inbox holds more than one buffer only while another thread is in the drain.
     */
    private static final class StageSubscriber<I, O> implements CoreSubscriber<I>, Subscription, Scannable {

        @SuppressWarnings("rawtypes")
        private static final AtomicIntegerFieldUpdater<StageSubscriber> WIP =
                AtomicIntegerFieldUpdater.newUpdater(StageSubscriber.class, "wip");

        @SuppressWarnings("rawtypes")
        private static final AtomicLongFieldUpdater<StageSubscriber> REQUESTED =
                AtomicLongFieldUpdater.newUpdater(StageSubscriber.class, "requested");

        @SuppressWarnings("rawtypes")
        private static final AtomicReferenceFieldUpdater<StageSubscriber, Throwable> ERROR =
                AtomicReferenceFieldUpdater.newUpdater(StageSubscriber.class, Throwable.class, "error");

        private final CoreSubscriber<? super O> actual;
        private final Stage<I, O> stage;
        private final @Nullable BufferKind<I> kind;
        private final Queue<I> inbox =
                Queues.<I>unbounded(Queues.XS_BUFFER_SIZE).get();

        @SuppressWarnings("NullAway.Init") // comes with onSubscribe, before any use
        private Subscription s;

        @SuppressWarnings("UnusedVariable") // read through WIP
        private volatile int wip;

        private volatile long requested;
        private volatile boolean cancelled;
        private volatile boolean done;
        private volatile @Nullable Throwable error;

        // written only under the guard
        private @Nullable O ahead;
        private boolean awaiting;
        private boolean unbounded;
        private boolean ended;
        private volatile boolean terminated;
        private @Nullable I beingFed;

        StageSubscriber(CoreSubscriber<? super O> actual, Stage<I, O> stage, @Nullable BufferKind<I> kind) {
            this.actual = actual;
            this.stage = stage;
            this.kind = kind;
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void onSubscribe(Subscription s) {
            if (Operators.validate(this.s, s)) {
                this.s = s;
                actual.onSubscribe(this);
            }
        }

        @Override
        public void onNext(I buffer) {
            if (done) {
                Operators.onNextDropped(buffer, currentContext());
            } else if (!unbounded && !inbox.isEmpty()) {
                discard(buffer);
                abort(Operators.onOperatorError(s, Exceptions.failWithOverflow(), currentContext()));
                drain();
            } else {
                inbox.offer(buffer);
                drain();
            }
        }

        @Override
        public void onError(Throwable t) {
            subscribeAtLast();
            if (done || cancelled) {
                Operators.onErrorDropped(t, currentContext());
                return;
            }
            abort(t);
            done = true;
            drain();
        }

        @Override
        public void onComplete() {
            subscribeAtLast();
            if (!done) {
                done = true;
                drain();
            }
        }

        /** For a source that ends without a subscription, against the rules: its receiver could wait for one for ever. */
        private void subscribeAtLast() {
            if (s == null) {
                onSubscribe(Operators.emptySubscription());
            }
        }

        @Override
        public void request(long n) {
            if (n <= 0) {
                refuse(n);
            } else if (Operators.addCap(REQUESTED, this, n) != Long.MAX_VALUE) {
                drain();
            }
        }

        @Override
        public void cancel() {
            if (!cancelled) {
                cancelled = true;
                s.cancel();
                drain();
            }
        }

        private void refuse(long n) {
            if (!cancelled && !terminated) {
                s.cancel();
                abort(new IllegalArgumentException("Demand must be positive (Reactive Streams, rule 3.9), was " + n));
                drain();
            }
        }

        /** Names the error that the drain is to end the stream with. The first one counts. */
        private void abort(Throwable e) {
            if (!ERROR.compareAndSet(this, null, e)) {
                Operators.onErrorDropped(e, currentContext());
            }
        }

        private void drain() {
            if (WIP.getAndIncrement(this) != 0) {
                return;
            }
            boolean wantsAll = false;
            int missed = 1;
            do {
                wantsAll |= emit();
                missed = WIP.addAndGet(this, -missed);
            } while (missed != 0);
            if (wantsAll) {
                s.request(Long.MAX_VALUE);
            }
        }

        /** Gives what there is demand for; says whether upstream is now to be asked for everything. */
        private boolean emit() {
            long demand = requested;
            long emitted = 0;
            boolean wantsAll = false;
            // done is read before the error, and written after it: a failed upstream never looks like a complete one
            for (boolean complete = done; !settled(); complete = done) {
                if (emitted == demand) {
                    demand = requested;
                }
                boolean wanted = emitted != demand;
                boolean sought = wanted || complete || stage.awaitsOnlyTheEnd();
                if (ahead == null && sought && !advance(complete)) {
                    continue;
                }
                O piece = ahead;
                if (piece != null) {
                    if (!wanted) {
                        break;
                    }
                    ahead = null;
                    emitted++;
                    actual.onNext(piece);
                } else if (complete) {
                    succeed();
                } else if (!sought || awaiting || unbounded) {
                    break;
                } else if (demand == Long.MAX_VALUE) {
                    unbounded = true;
                    wantsAll = true;
                } else {
                    awaiting = true;
                    askForOne();
                }
            }
            if (emitted != 0) {
                Operators.produced(REQUESTED, this, emitted);
            }
            return wantsAll;
        }

        /** A source that throws, against the rules, would leave the guard taken, and whoever waits for the end waiting. */
        private void askForOne() {
            try {
                s.request(1);
            } catch (Throwable e) {
                abort(Operators.onOperatorError(s, e, currentContext()));
            }
        }

        /** Looks for the next piece, feeding the stage what has come. False when the stream is to end first. */
        private boolean advance(boolean complete) {
            try {
                while (!cancelled && error == null) {
                    ahead = stage.poll();
                    if (ahead != null) {
                        return true;
                    }
                    I buffer = inbox.poll();
                    if (buffer != null) {
                        awaiting = false;
                        beingFed = buffer;
                        stage.feed(buffer);
                        beingFed = null;
                    } else if (complete && !ended) {
                        ended = true;
                        stage.end();
                    } else {
                        return true;
                    }
                }
            } catch (Throwable e) {
                abort(Operators.onOperatorError(s, e, currentContext()));
            }
            return false;
        }

        /** Whether the stream has ended, now or before. What comes in after that is discarded. */
        private boolean settled() {
            if (!terminated) {
                Throwable e = error;
                if (cancelled) {
                    terminated = true;
                    discardHeld();
                } else if (e != null) {
                    fail(e);
                }
            }
            if (terminated) {
                for (I buffer = inbox.poll(); buffer != null; buffer = inbox.poll()) {
                    discard(buffer);
                }
            }
            return terminated;
        }

        private void succeed() {
            terminated = true;
            discardHeld();
            actual.onComplete();
        }

        private void fail(Throwable e) {
            terminated = true;
            discardHeld();
            actual.onError(e);
        }

        private void discardHeld() {
            O unsent = ahead;
            if (unsent != null) {
                ahead = null;
                try {
                    stage.discardUnsent(unsent, this::discard);
                } catch (Throwable e) {
                    Operators.onErrorDropped(e, currentContext());
                }
            }
            try {
                stage.discard(this::discard);
            } catch (Throwable e) {
                Operators.onErrorDropped(e, currentContext());
            }
            I buffer = beingFed;
            if (buffer != null) {
                discard(buffer);
            }
        }

        @SuppressWarnings("unchecked") // what a stage over a kind of buffer gives back is one of them
        private void discard(Object held) {
            if (held == beingFed) {
                beingFed = null;
            }
            if (kind == null) {
                Operators.onDiscard(held, currentContext());
                return;
            }
            try {
                kind.release((I) held);
            } catch (Throwable e) {
                Operators.onErrorDropped(e, currentContext());
            }
        }

        @Override
        @SuppressWarnings("rawtypes") // as Scannable has it
        public @Nullable Object scanUnsafe(Attr key) {
            if (key == Attr.PARENT) return s;
            if (key == Attr.ACTUAL) return actual;
            if (key == Attr.TERMINATED) return terminated;
            if (key == Attr.CANCELLED) return cancelled;
            if (key == Attr.ERROR) return error;
            if (key == Attr.BUFFERED) return inbox.size() + (ahead == null ? 0 : 1);
            if (key == Attr.REQUESTED_FROM_DOWNSTREAM) return requested;
            if (key == Attr.RUN_STYLE) return Attr.RunStyle.SYNC;
            return null;
        }
    }
}
