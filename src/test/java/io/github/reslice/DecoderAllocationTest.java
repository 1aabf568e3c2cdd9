package io.github.reslice;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.reslice.awschunked.Client;
import io.github.reslice.awschunked.Mode;
import io.github.reslice.awschunked.Sliced;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.sigv4.SignedHeaders;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** What one body allocates: at most 512 B a chunk, and for a direct buffer the view that its checksum is read through. */
class DecoderAllocationTest {

    private static final int CHUNK = 128 * 1024;
    private static final int CHUNKS = 100;
    private static final int BUFFER = 16 * 1024;
    private static final int MADE_ONCE = 16 * 1024;
    private static final String CRC32C = "x-amz-checksum-crc32c";
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final byte[] payload = new byte[CHUNKS * CHUNK];
    private final AwsChunkedDecoder decoder = AwsChunkedDecoder.builder()
            .decodedLength(payload.length)
            .trailer(CRC32C)
            .build();
    private final String trailer = CRC32C + ":" + checksum();

    private String checksum() {
        RunningChecksum running = ChecksumAlgorithm.CRC32C.start();
        running.update(payload, 0, payload.length);
        return running.base64();
    }

    @Test
    void aChunkOfHeapBuffersCosts512BytesAtMost() {
        List<ByteBuffer> wire =
                Sliced.bySize(Client.body(payload, CHUNK, trailer), BUFFER).buffers();

        assertThat(perChunk(wire, decoder.decode())).isLessThanOrEqualTo(512);
    }

    @Test
    void aChunkOfDirectBuffersCostsAViewOfEachBufferToo() {
        List<ByteBuffer> wire =
                Sliced.bySize(Client.body(payload, CHUNK, trailer), BUFFER).buffers();

        assertThat(perChunk(direct(wire), decoder.decode())).isLessThanOrEqualTo(512 + 64 * CHUNK / BUFFER);
    }

    @Test
    void aSignedChunkOfHeapBuffersCosts512BytesAtMost() {
        SignedHeaders seed = Client.seed(Mode.SIGNED_WITH_TRAILER, payload.length, CRC32C);
        List<ByteBuffer> wire = Sliced.bySize(Client.signedBody(seed, payload, CHUNK, trailer), BUFFER)
                .buffers();

        assertThat(perChunk(wire, decoder.decode(seed))).isLessThanOrEqualTo(512);
    }

    @Test
    void aSignedChunkOfDirectBuffersCosts512BytesAtMost() {
        SignedHeaders seed = Client.seed(Mode.SIGNED_WITH_TRAILER, payload.length, CRC32C);
        List<ByteBuffer> wire = Sliced.bySize(Client.signedBody(seed, payload, CHUNK, trailer), BUFFER)
                .buffers();

        assertThat(perChunk(direct(wire), decoder.decode(seed))).isLessThanOrEqualTo(512);
    }

    @Test
    void aHeldChunkOfHeapBuffersCosts512BytesAtMost() {
        SignedHeaders seed = Client.seed(Mode.SIGNED_WITH_TRAILER, payload.length, CRC32C);
        List<ByteBuffer> wire = Sliced.bySize(Client.signedBody(seed, payload, CHUNK, trailer), BUFFER)
                .buffers();
        AwsChunkedDecoder holding =
                AwsChunkedDecoder.builder().holdChunkUntilVerified().build();

        assertThat(perChunk(wire, holding.decode(seed))).isLessThanOrEqualTo(512);
    }

    private static List<ByteBuffer> direct(List<ByteBuffer> wire) {
        return wire.stream()
                .map(buffer -> ByteBuffer.allocateDirect(buffer.remaining())
                        .put(buffer.duplicate())
                        .flip())
                .toList();
    }

    private static long perChunk(List<ByteBuffer> wire, Function<Flux<ByteBuffer>, Flux<ByteBuffer>> decoding) {
        Flux<ByteBuffer> body = Flux.fromIterable(wire).transform(decoding);
        long least = Long.MAX_VALUE;
        for (int run = 0; run < 20; run++) {
            Ignoring receiver = new Ignoring();
            long before = THREADS.getCurrentThreadAllocatedBytes();
            body.subscribe(receiver);
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
            assertThat(receiver.completed).isTrue();
        }
        return (least - MADE_ONCE) / CHUNKS;
    }

    private static final class Ignoring implements CoreSubscriber<ByteBuffer> {

        private boolean completed;

        @Override
        public void onSubscribe(Subscription s) {
            s.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(ByteBuffer piece) {}

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
