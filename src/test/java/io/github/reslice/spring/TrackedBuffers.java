package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import reactor.core.publisher.Flux;

/** A source of Netty's direct buffers that knows which of them have been given back. */
public final class TrackedBuffers {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final NettyDataBufferFactory factory;
    private final Queue<ByteBuf> made = new ConcurrentLinkedQueue<>();

    /** Netty's own, for tests with each of them. */
    static Stream<ByteBufAllocator> allocators() {
        return Stream.of(PooledByteBufAllocator.DEFAULT, ByteBufAllocator.DEFAULT, UnpooledByteBufAllocator.DEFAULT);
    }

    /** From one allocator. */
    public TrackedBuffers(ByteBufAllocator allocator) {
        factory = new NettyDataBufferFactory(allocator);
    }

    public NettyDataBufferFactory factory() {
        return factory;
    }

    /** A direct buffer with these bytes. */
    public DataBuffer of(byte[] bytes, int from, int length) {
        ByteBuf buffer = factory.getByteBufAllocator().directBuffer(length).writeBytes(bytes, from, length);
        made.add(buffer);
        return factory.wrap(buffer);
    }

    /** The bytes in buffers of one size, each made when it is asked for. */
    public Flux<DataBuffer> slicesOf(byte[] bytes, int size) {
        return Flux.generate(() -> 0, (from, sink) -> {
            if (from >= bytes.length) {
                sink.complete();
                return from;
            }
            int length = Math.min(size, bytes.length - from);
            sink.next(of(bytes, from, length));
            return from + length;
        });
    }

    public int count() {
        return made.size();
    }

    public long unreleased() {
        return made.stream().filter(buffer -> buffer.refCnt() > 0).count();
    }

    /** Waits until a buffer has only so many owners left. */
    static void awaitRefCount(ByteBuf buffer, int count) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (buffer.refCnt() > count && System.nanoTime() < deadline) {
            Thread.sleep(5);
        }
        assertThat(buffer.refCnt()).isEqualTo(count);
    }

    /**
     * Waits until all have been given back, since connectors do so on threads of their own. A source that was cancelled a
     * moment ago may still be making its last one, so twice in a row none must be out.
     */
    public void assertAllReleased() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        long before = unreleased();
        Thread.sleep(20);
        long now = unreleased();
        while (before + now > 0 && System.nanoTime() < deadline) {
            Thread.sleep(20);
            before = now;
            now = unreleased();
        }
        assertThat(made).isNotEmpty();
        assertThat(now).as("unreleased of %d", made.size()).isZero();
    }
}
