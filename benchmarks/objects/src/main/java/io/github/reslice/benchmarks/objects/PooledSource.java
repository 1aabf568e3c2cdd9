package io.github.reslice.benchmarks.objects;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** Gives buffers of an allocator, made when they are asked for. For one subscriber at a time; has no object of its own for it. */
final class PooledSource extends Flux<ByteBuf> implements Subscription {

    private final ByteBufAllocator allocator;
    private final int size;
    private final int buffers;
    private CoreSubscriber<? super ByteBuf> actual;
    private long requested;
    private int given;
    private boolean giving;
    private boolean ended;

    PooledSource(ByteBufAllocator allocator, int size, int buffers) {
        this.allocator = allocator;
        this.size = size;
        this.buffers = buffers;
    }

    long length() {
        return (long) size * buffers;
    }

    @Override
    public void subscribe(CoreSubscriber<? super ByteBuf> subscriber) {
        actual = subscriber;
        requested = 0;
        given = 0;
        ended = false;
        subscriber.onSubscribe(this);
    }

    @Override
    public void request(long n) {
        requested = requested + n < 0 ? Long.MAX_VALUE : requested + n;
        if (giving) {
            return;
        }
        giving = true;
        while (requested > 0 && given < buffers && !ended) {
            requested--;
            given++;
            actual.onNext(allocator.directBuffer(size, size).writerIndex(size));
        }
        giving = false;
        if (given == buffers && !ended) {
            ended = true;
            actual.onComplete();
        }
    }

    @Override
    public void cancel() {
        ended = true;
    }
}
