package io.github.reslice.tck;

import io.github.reslice.awssdk.FluxRequestBody;
import java.nio.ByteBuffer;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;

/** A body for the AWS SDK, which subscribes to it with subscribers of its own. */
@Test
public class FluxRequestBodyPublisherTest extends StagePublisherVerification<ByteBuffer> {

    @Override
    public Publisher<ByteBuffer> createPublisher(long elements) {
        int count = (int) Math.min(elements, Integer.MAX_VALUE);
        return FluxRequestBody.of(Flux.range(0, count).map(i -> ByteBuffer.allocate(4)), 4L * count)
                .onProgress(sent -> {});
    }

    @Override
    public Publisher<ByteBuffer> createFailedPublisher() {
        return FluxRequestBody.of(Flux.error(new IllegalStateException("failed")), 4);
    }
}
