package io.github.reslice.tck;

import io.github.reslice.AwsChunked;
import io.github.reslice.netty.ByteBufs;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;

/** The encoder over Netty's buffers, on the heap and not followed, since the kit releases none. */
@Test
public class ByteBufEncoderPublisherTest extends StagePublisherVerification<ByteBuf> {

    private static final int CHUNK = 8192;
    private static final AwsChunked CHUNKED =
            AwsChunked.builder().chunkSize(CHUNK).build();
    private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false, true);

    /** Each chunk is two pieces, and the end is one. */
    @Override
    public Publisher<ByteBuf> createPublisher(long elements) {
        long chunks = Math.min(elements / 2, Integer.MAX_VALUE);
        return Flux.range(0, (int) chunks)
                .map(i -> HEAP.heapBuffer(CHUNK).writeZero(CHUNK))
                .transform(ByteBufs.encode(CHUNKED, chunks * CHUNK, HEAP))
                .take(elements);
    }

    @Override
    public Publisher<ByteBuf> createFailedPublisher() {
        return Flux.<ByteBuf>error(new IllegalStateException("failed")).transform(ByteBufs.encode(CHUNKED, 1, HEAP));
    }
}
