package io.github.reslice.soak;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** The bytes of one upload, cut at random into new buffers for each subscription, always at the same places. */
final class Source {

    private static final int MOST = 1024 * 1024;
    private static final byte[] BYTES = new byte[2 * MOST];

    static {
        new Random(1).nextBytes(BYTES);
    }

    private final long seed;
    private final int offset;
    private final int length;
    private final int largest;
    private final boolean pooled;
    private final boolean ownThread;
    private final AtomicInteger running = new AtomicInteger();

    Source(long seed) {
        this.seed = seed;
        Random random = new Random(seed);
        offset = random.nextInt(MOST);
        length = switch (random.nextInt(6)) {
            case 0 -> 1 + random.nextInt(3);
            case 1 -> random.nextInt(20_000);
            default -> random.nextInt(MOST + 1);
        };
        largest = switch (random.nextInt(4)) {
            case 0 -> 1 + length;
            case 1 -> 1 + length / 300;
            default -> 1 + random.nextInt(64 * 1024);
        };
        pooled = random.nextInt(3) > 0;
        ownThread = random.nextBoolean();
    }

    int length() {
        return length;
    }

    /** Subscriptions that have neither ended nor been cancelled. */
    int running() {
        return running.get();
    }

    boolean isPooled() {
        return pooled;
    }

    ByteBuffer bytes() {
        return ByteBuffer.wrap(BYTES, offset, length);
    }

    /** Pooled buffers with the first bytes, then the end. */
    Flux<DataBuffer> dataBuffers(ByteBufAllocator allocator, int count, Flux<DataBuffer> end) {
        NettyDataBufferFactory factory = new NettyDataBufferFactory(allocator);
        return body(count, end, (bytes, random) -> {
            int size = bytes.remaining();
            ByteBuf buffer = random.nextBoolean() ? allocator.directBuffer(size) : allocator.heapBuffer(size);
            return factory.wrap(buffer.writeBytes(bytes));
        });
    }

    /** Buffers with the first bytes, then the end. */
    Flux<ByteBuffer> byteBuffers(int count, Flux<ByteBuffer> end) {
        return body(
                count,
                end,
                (bytes, random) -> random.nextBoolean()
                        ? bytes
                        : ByteBuffer.allocateDirect(bytes.remaining())
                                .put(bytes)
                                .flip()
                                .asReadOnlyBuffer());
    }

    private <T> Flux<T> body(int count, Flux<T> end, Maker<T> maker) {
        Flux<T> body = Flux.defer(() -> slices(count, maker))
                .concatWith(end)
                .doOnSubscribe(subscription -> running.incrementAndGet())
                .doFinally(signal -> running.decrementAndGet());
        return ownThread ? body.subscribeOn(Schedulers.parallel()) : body;
    }

    private <T> Flux<T> slices(int count, Maker<T> maker) {
        Random random = new Random(seed);
        return Flux.generate(() -> 0, (from, sink) -> {
            if (from == count) {
                sink.complete();
                return from;
            }
            int size = Math.min(random.nextInt(largest + 1), count - from);
            sink.next(maker.make(ByteBuffer.wrap(BYTES, offset + from, size), random));
            return from + size;
        });
    }

    @Override
    public String toString() {
        return length + " bytes in " + (pooled ? "pooled buffers" : "ByteBuffers") + " up to " + largest
                + (ownThread ? " on a thread of their own" : "");
    }

    @FunctionalInterface
    private interface Maker<T> {
        T make(ByteBuffer bytes, Random random);
    }
}
