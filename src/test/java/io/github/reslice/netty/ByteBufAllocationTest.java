package io.github.reslice.netty;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.reslice.AwsChunked;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/**
 * What an upload over pooled buffers allocates on an event loop: a few objects for the subscription, and nothing for any buffer or
 * header. The benchmarks count the objects one by one.
 */
class ByteBufAllocationTest {

    private static final int SIZE = 16 * 1024;
    private static final int BUFFERS = 1_600;
    private static final int MOST = 2 * 1024;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final ByteBufAllocator POOLED = PooledByteBufAllocator.DEFAULT;

    private final DefaultEventExecutor eventLoop = new DefaultEventExecutor();
    private final ResourceLeakDetector.Level levelBefore = ResourceLeakDetector.getLevel();

    @BeforeEach
    void followNoBuffers() { // the detector has objects of its own for each that it follows
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }

    @AfterEach
    void close() {
        ResourceLeakDetector.setLevel(levelBefore);
        eventLoop.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void buffersThatFitCostNothing() throws Exception {
        assertThat(allocated(SIZE, Long.MAX_VALUE, true)).isLessThanOrEqualTo(MOST);
    }

    @Test
    void buffersThatFitCostNothingAskedForOneByOne() throws Exception {
        assertThat(allocated(SIZE, 1, true)).isLessThanOrEqualTo(MOST);
    }

    @Test
    void buffersThatStraddleChunksCostNothing() throws Exception {
        assertThat(allocated(17 * 1024, Long.MAX_VALUE, true)).isLessThanOrEqualTo(MOST);
    }

    @Test
    void buffersOnTheHeapCostNothing() throws Exception {
        assertThat(allocated(SIZE, Long.MAX_VALUE, false)).isLessThanOrEqualTo(MOST);
    }

    /** The least of many runs. */
    private long allocated(int size, long demand, boolean direct) throws Exception {
        AwsChunked chunked = AwsChunked.builder()
                .chunkSize(SIZE)
                .checksum(ChecksumAlgorithm.CRC32C)
                .build();
        long length = (long) size * BUFFERS;
        return eventLoop
                .submit(() -> {
                    long least = Long.MAX_VALUE;
                    for (int run = 0; run < 40; run++) {
                        Source source = new Source(size, direct);
                        Releasing receiver = new Releasing(demand);
                        long before = THREADS.getCurrentThreadAllocatedBytes();
                        source.transform(ByteBufs.encode(chunked, length, POOLED))
                                .subscribe(receiver);
                        least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
                        assertThat(receiver.bytes).isEqualTo(chunked.encodedLength(length));
                    }
                    return least;
                })
                .get(60, TimeUnit.SECONDS);
    }

    /** Its buffers come out of the recycler, and it has no other object. */
    private static final class Source extends Flux<ByteBuf> implements Subscription {

        private final int size;
        private final boolean direct;
        private CoreSubscriber<? super ByteBuf> actual;
        private long requested;
        private int given;
        private boolean giving;

        Source(int size, boolean direct) {
            this.size = size;
            this.direct = direct;
        }

        @Override
        public void subscribe(CoreSubscriber<? super ByteBuf> subscriber) {
            actual = subscriber;
            subscriber.onSubscribe(this);
        }

        @Override
        public void request(long n) {
            requested = Math.min(requested, Long.MAX_VALUE - n) + n;
            if (giving) {
                return;
            }
            giving = true;
            for (; requested > 0 && given < BUFFERS; requested--) {
                given++;
                ByteBuf buffer = direct ? POOLED.directBuffer(size, size) : POOLED.heapBuffer(size, size);
                actual.onNext(buffer.writerIndex(size));
                if (given == BUFFERS) {
                    actual.onComplete();
                }
            }
            giving = false;
        }

        @Override
        public void cancel() {}
    }

    /** Releases each piece at once. */
    private static final class Releasing implements CoreSubscriber<ByteBuf> {

        private final long demand;
        private Subscription s;
        private long left;
        private long bytes;

        Releasing(long demand) {
            this.demand = demand;
        }

        @Override
        public void onSubscribe(Subscription s) {
            this.s = s;
            left = demand;
            s.request(demand);
        }

        @Override
        public void onNext(ByteBuf piece) {
            bytes += piece.readableBytes();
            piece.release();
            if (--left == 0) {
                left = demand;
                s.request(demand);
            }
        }

        @Override
        public void onError(Throwable t) {
            throw new AssertionError(t);
        }

        @Override
        public void onComplete() {}
    }
}
