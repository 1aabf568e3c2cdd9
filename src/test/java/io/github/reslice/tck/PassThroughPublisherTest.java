package io.github.reslice.tck;

import io.github.reslice.Checksums;
import io.github.reslice.checksum.ChecksumAlgorithm;
import java.nio.ByteBuffer;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;

/** A stage that hands on one piece for each buffer. */
@Test
public class PassThroughPublisherTest extends StagePublisherVerification<ByteBuffer> {

    @Override
    public Publisher<ByteBuffer> createPublisher(long elements) {
        return publisher(Flux.range(0, (int) Math.min(elements, Integer.MAX_VALUE)));
    }

    @Override
    public Publisher<ByteBuffer> createFailedPublisher() {
        return publisher(Flux.error(new IllegalStateException("failed")));
    }

    private static Publisher<ByteBuffer> publisher(Flux<Integer> numbers) {
        return numbers.map(i -> ByteBuffer.allocate(4).putInt(0, i))
                .transform(Checksums.tap(ChecksumAlgorithm.CRC32, value -> {}));
    }
}
