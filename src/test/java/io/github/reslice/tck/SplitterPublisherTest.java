package io.github.reslice.tck;

import io.github.reslice.Reslice;
import java.nio.ByteBuffer;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;

/** A stage that gives many pieces for a buffer. */
@Test
public class SplitterPublisherTest extends StagePublisherVerification<ByteBuffer> {

    private static final int PIECES = 1000;

    @Override
    public Publisher<ByteBuffer> createPublisher(long elements) {
        Flux<ByteBuffer> whole = Flux.range(0, (int) Math.min(elements / PIECES, Integer.MAX_VALUE))
                .map(i -> ByteBuffer.allocate(PIECES));
        return publisher(whole.concatWithValues(ByteBuffer.allocate((int) (elements % PIECES))));
    }

    @Override
    public Publisher<ByteBuffer> createFailedPublisher() {
        return publisher(Flux.error(new IllegalStateException("failed")));
    }

    private static Publisher<ByteBuffer> publisher(Flux<ByteBuffer> buffers) {
        return buffers.transform(Reslice.toSize(1));
    }
}
