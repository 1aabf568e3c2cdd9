package io.github.reslice;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.reslice.awschunked.Seed;
import io.github.reslice.checksum.ChecksumAlgorithm;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** What one body allocates, by the design's bar: 64 B for each piece that is not the caller's own buffer, and 1 KiB. */
class AllocationTest {

    private static final int BUFFERS = 1600; // 25 MiB in buffers of 16 KiB
    private static final int BUFFER_SIZE = 16 * 1024;
    private static final int STRADDLING = 17 * 1024; // never leaves a piece so small that it is copied
    private static final long BYTES = (long) BUFFERS * BUFFER_SIZE;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final AwsChunked chunked =
            AwsChunked.builder().checksum(ChecksumAlgorithm.CRC32C).build();

    @Test
    void heapBuffersOfAKnownLengthCostTheirFramingAlone() {
        assertThat(excess(ByteBuffer::allocate, BUFFER_SIZE, chunked.encode(BYTES), Long.MAX_VALUE))
                .isNotPositive();
    }

    @Test
    void heapBuffersAskedForOneByOneCostNoMore() {
        assertThat(excess(ByteBuffer::allocate, BUFFER_SIZE, chunked.encode(BYTES), 1))
                .isNotPositive();
    }

    @Test
    void heapBuffersThatStraddleChunksCostTheirViewsAndTheFraming() {
        long length = (long) BUFFERS * STRADDLING;
        assertThat(excess(ByteBuffer::allocate, STRADDLING, chunked.encode(length), Long.MAX_VALUE))
                .isNotPositive();
    }

    @Test
    void directBuffersCostAViewEachForTheChecksum() {
        assertThat(excess(ByteBuffer::allocateDirect, BUFFER_SIZE, chunked.encode(BYTES), Long.MAX_VALUE))
                .isLessThanOrEqualTo(64L * BUFFERS);
    }

    @Test
    void directBuffersThatStraddleChunksCostTheirViewsToo() {
        long length = (long) BUFFERS * STRADDLING;
        assertThat(excess(ByteBuffer::allocateDirect, STRADDLING, chunked.encode(length), Long.MAX_VALUE))
                .isLessThanOrEqualTo(64L * BUFFERS);
    }

    @Test
    void heapBuffersOfAnUnknownLengthCostTheirFramingAlone() {
        assertThat(excess(ByteBuffer::allocate, BUFFER_SIZE, chunked.encode(), Long.MAX_VALUE))
                .isNotPositive();
    }

    @Test
    void heapBuffersOfAnUnknownLengthThatStraddleChunksCostTheirViewsAndTheFraming() {
        assertThat(excess(ByteBuffer::allocate, STRADDLING, chunked.encode(), Long.MAX_VALUE))
                .isNotPositive();
    }

    @Test
    void directBuffersOfAnUnknownLengthCostAViewEachForTheChecksum() {
        assertThat(excess(ByteBuffer::allocateDirect, BUFFER_SIZE, chunked.encode(), 64))
                .isLessThanOrEqualTo(64L * BUFFERS);
    }

    @Test
    void aSignedChunkOfHeapBuffersCosts512BytesAtMost() {
        assertThat(perChunk(ByteBuffer::allocate, BUFFER_SIZE)).isLessThanOrEqualTo(512);
    }

    @Test
    void aSignedChunkOfHeapBuffersThatStraddleCosts512BytesAtMost() {
        assertThat(perChunk(ByteBuffer::allocate, STRADDLING)).isLessThanOrEqualTo(512);
    }

    @Test
    void aSignedChunkOfDirectBuffersCosts512BytesAtMost() {
        assertThat(perChunk(ByteBuffer::allocateDirect, STRADDLING)).isLessThanOrEqualTo(512);
    }

    private long perChunk(IntFunction<ByteBuffer> allocate, int size) {
        int buffers = (int) (BYTES / size);
        long length = (long) buffers * size;
        AwsChunked.Signed signed = chunked.signed();
        ByteBuffer[] source =
                IntStream.range(0, buffers).mapToObj(i -> allocate.apply(size)).toArray(ByteBuffer[]::new);
        Flux<ByteBuffer> body =
                Flux.fromArray(source).transform(signed.encode(length, Seed.of(signed.headers(length))));
        long least = Long.MAX_VALUE;
        for (int run = 0; run < 20; run++) {
            Counter counter = new Counter(size, Long.MAX_VALUE);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            body.subscribe(counter);
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
            assertThat(counter.completed).isTrue();
        }
        // what is made once for a body is of no account
        return (least - 16 * 1024) / (length / (128 * 1024));
    }

    /** Bytes allocated above 64 for each piece that is not the caller's own buffer, and 1 KiB. The least of many runs. */
    private static long excess(
            IntFunction<ByteBuffer> allocate,
            int size,
            Function<Flux<ByteBuffer>, Flux<ByteBuffer>> encoding,
            long demand) {
        ByteBuffer[] buffers =
                IntStream.range(0, BUFFERS).mapToObj(i -> allocate.apply(size)).toArray(ByteBuffer[]::new);
        Flux<ByteBuffer> body = Flux.fromArray(buffers).transform(encoding);
        long least = Long.MAX_VALUE;
        for (int run = 0; run < 20; run++) {
            Counter counter = new Counter(size, demand);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            body.subscribe(counter);
            long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            assertThat(counter.completed).isTrue();
            least = Math.min(least, allocated - 64 * counter.notTheCallersOwn - 1024);
        }
        return least;
    }

    /** Counts pieces; one of the size of the caller's buffers is taken for one. */
    private static final class Counter implements CoreSubscriber<ByteBuffer> {

        private final int size;
        private final long demand;
        private Subscription s;
        private long left;
        private long notTheCallersOwn;
        private boolean completed;

        Counter(int size, long demand) {
            this.size = size;
            this.demand = demand;
        }

        @Override
        public void onSubscribe(Subscription s) {
            this.s = s;
            left = demand;
            s.request(demand);
        }

        @Override
        public void onNext(ByteBuffer piece) {
            if (piece.remaining() != size) {
                notTheCallersOwn++;
            }
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
        public void onComplete() {
            completed = true;
        }
    }
}
