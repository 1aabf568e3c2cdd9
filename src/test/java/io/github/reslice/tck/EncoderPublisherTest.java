package io.github.reslice.tck;

import io.github.reslice.AwsChunked;
import java.nio.ByteBuffer;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;

/** The encoder: a header and the data for each buffer of a chunk's size, and the end. */
@Test
public class EncoderPublisherTest extends StagePublisherVerification<ByteBuffer> {

    private static final int CHUNK = 8192;
    private static final AwsChunked CHUNKED =
            AwsChunked.builder().chunkSize(CHUNK).build();

    /** Each chunk is two pieces, the end is one; for an even number one chunk comes in two parts. */
    @Override
    public Publisher<ByteBuffer> createPublisher(long elements) {
        if (elements == 0 || elements == 2) { // no body has so many pieces
            return Flux.from(createPublisher(3)).take(elements);
        }
        long odd = elements - 1;
        int chunks = (int) Math.min(odd / 2, Integer.MAX_VALUE);
        if (odd % 2 == 0) {
            Flux<ByteBuffer> buffers = Flux.range(0, chunks).map(i -> ByteBuffer.allocate(CHUNK));
            return buffers.transform(CHUNKED.encode((long) chunks * CHUNK));
        }
        Flux<ByteBuffer> buffers = Flux.range(0, chunks - 1)
                .map(i -> ByteBuffer.allocate(CHUNK))
                .concatWithValues(ByteBuffer.allocate(1), ByteBuffer.allocate(1));
        return buffers.transform(CHUNKED.encode((chunks - 1L) * CHUNK + 2));
    }

    @Override
    public Publisher<ByteBuffer> createFailedPublisher() {
        return Flux.<ByteBuffer>error(new IllegalStateException("failed")).transform(CHUNKED.encode(1));
    }
}
