package io.github.reslice.awschunked;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.sigv4.ChunkSignatures;
import io.github.reslice.sigv4.SignedHeaders;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A chunk that is held until its signature has been compared never keeps more than twice its size alive. */
class DecoderHeldMemoryTest {

    private static final int CHUNK = 16 * 1024;

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 256", "100, 4096", "1023, 65536", "1024, 65536", "5000, 5000", "5000, 1000000"})
    void whatIsHeldStaysUnderTwiceTheChunk(int size, int capacity) {
        byte[] payload = new byte[3 * CHUNK];
        new Random(5).nextBytes(payload);
        SignedHeaders seed = Client.seed(Mode.SIGNED, payload.length);
        byte[] wire = Client.signedBody(seed, payload, CHUNK);
        Pool pool = new Pool();
        Decoder<Pool.Buffer> decoder = Decoder.holdingChunks(
                Announced.in(seed.headers()),
                new Limits(CHUNK, CHUNK, 100, 0, 0),
                pool,
                ChunkSignatures.following(seed));
        ByteArrayOutputStream decoded = new ByteArrayOutputStream();

        for (int from = 0; from < wire.length; from += size) {
            decoder.feed(pool.allocate(wire, from, Math.min(size, wire.length - from), capacity));
            for (Pool.Buffer piece = decoder.poll(); piece != null; piece = decoder.poll()) {
                decoded.writeBytes(Sliced.join(List.of(piece.bytes())));
                pool.release(piece);
            }
            assertThat(pool.liveBytes()).isLessThanOrEqualTo(2L * CHUNK);
        }
        decoder.end();
        decoder.discard(held -> {
            throw new AssertionError("held after the end: " + held);
        });

        assertThat(decoded.toByteArray()).isEqualTo(payload);
        assertThat(pool.live()).isEmpty();
    }
}
