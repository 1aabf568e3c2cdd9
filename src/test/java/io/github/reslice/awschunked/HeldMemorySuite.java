package io.github.reslice.awschunked;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.Effort;
import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Stage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What must hold back chunks holds less than one, and with all the memory that this keeps alive, its own blocks included,
 * never more than two.
 */
abstract class HeldMemorySuite {

    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;

    private final Pool pool = new Pool();
    private final ByteArrayOutputStream payload = new ByteArrayOutputStream();

    /** An encoder of bodies without a trailer. */
    abstract <B> Stage<B, B> encoder(int chunkSize, BufferKind<B> kind);

    @ParameterizedTest
    @ValueSource(ints = {256, KIB, 4 * KIB, 64 * KIB})
    void oneByteBuffersAreGathered(int capacity) {
        Upload upload = new Upload(8 * KIB);
        for (int i = 0; i < 20_000; i++) {
            upload.feed(1, capacity);
        }
        upload.end();
    }

    @ParameterizedTest
    @CsvSource({"1024, 65536", "1024, 1024", "1023, 65536", "16384, 65536", "16384, 17000", "100000, 131072"})
    void smallPartsOfLargerBuffersStayInBounds(int size, int capacity) {
        Upload upload = new Upload(128 * KIB);
        for (int i = 0; i < 3 * MIB / size; i++) {
            upload.feed(size, capacity);
        }
        upload.end();
    }

    @Test
    void tailsOfHugeBuffersStayInBounds() {
        Upload upload = new Upload(64 * KIB);
        for (int i = 0; i < 10; i++) {
            upload.feed(MIB + 1000 + i * 5000, 2 * MIB);
        }
        upload.end();
    }

    @Test
    void mixturesStayInBounds() {
        for (int seed = 0; seed < Effort.cases(60, 3_000); seed++) {
            Random random = new Random(seed);
            int[] sizes = {1, 1, 100, 1023, 1024, 1025, 4096, 20_000, 100_000};
            int[] extra = {0, 0, 1, 256, 4096, 65_536, 1_000_000};
            payload.reset();
            Upload upload = new Upload((8 * KIB) << random.nextInt(5));
            for (int i = random.nextInt(400); i > 0; i--) {
                int size = sizes[random.nextInt(sizes.length)];
                upload.feed(size, size + extra[random.nextInt(extra.length)]);
            }
            upload.end();
        }
    }

    @Test
    void buffersOfOrdinarySizesAreHeldWithoutACopy() {
        int size = 17 * KIB;
        Upload upload = new Upload(128 * KIB);
        for (int i = 0; i < 100; i++) {
            upload.feed(size, size);
        }
        upload.end();

        assertThat(pool.wrappedBytes()).isZero();
    }

    /** Drives an encoder and looks at the pool after every step. */
    private final class Upload {

        private final int chunkSize;
        private final Stage<Pool.Buffer, Pool.Buffer> encoder;
        private final ByteArrayOutputStream wire = new ByteArrayOutputStream();
        private final Random random = new Random(1);

        Upload(int chunkSize) {
            this.chunkSize = chunkSize;
            encoder = encoder(chunkSize, pool);
        }

        void feed(int size, int capacity) {
            byte[] content = new byte[size];
            random.nextBytes(content);
            payload.writeBytes(content);
            encoder.feed(pool.allocate(content, 0, size, capacity));
            // what flows through the chunk now is not held back
            drain(capacity);
            assertInBounds(0);
        }

        void end() {
            encoder.end();
            drain(0);
            encoder.discard(held -> {
                throw new AssertionError("held after the end: " + held);
            });
            assertThat(pool.live()).isEmpty();
            assertThat(ReferenceDecoder.decode(wire.toByteArray()).payload()).isEqualTo(payload.toByteArray());
        }

        private void assertInBounds(int incoming) {
            long held = pool.liveBytes() - incoming;
            if (held > 2L * chunkSize) {
                throw new AssertionError(held + " bytes are kept alive for chunks of " + chunkSize);
            }
        }

        private void drain(int incoming) {
            for (Pool.Buffer piece = encoder.poll(); piece != null; piece = encoder.poll()) {
                assertInBounds(incoming);
                wire.writeBytes(Sliced.join(List.of(piece.bytes())));
                pool.release(piece);
            }
        }
    }

    @Test
    void slicesOfLargeArraysAreCopiedBeforeTheyKeepTooMuchAlive() {
        Stage<ByteBuffer, ByteBuffer> encoder = encoder(128 * KIB, BufferKind.BYTE_BUFFER);
        List<ByteBuffer> slices = Stream.generate(
                        () -> ByteBuffer.allocate(64 * 1024).slice(0, 2048))
                .limit(63)
                .toList();

        feedAll(encoder, slices);

        Set<byte[]> alive = Collections.newSetFromMap(new IdentityHashMap<>());
        encoder.discard(piece -> alive.add(((ByteBuffer) piece).array()));
        assertThat(alive.stream().mapToLong(array -> array.length).sum()).isLessThanOrEqualTo(2 * 128 * 1024);
    }

    @Test
    void slicesOfOneArrayCountItOnceAndAreNotCopied() {
        Stage<ByteBuffer, ByteBuffer> encoder = encoder(128 * KIB, BufferKind.BYTE_BUFFER);
        ByteBuffer slab = ByteBuffer.allocate(128 * 1024);
        List<ByteBuffer> slices =
                Stream.of(0, 1, 2, 3).map(i -> slab.slice(i * 16384, 16384)).toList();

        feedAll(encoder, slices);

        List<Object> held = new ArrayList<>();
        encoder.discard(held::add);
        assertThat(held).usingElementComparator((a, b) -> a == b ? 0 : 1).isEqualTo(slices);
    }

    private static void feedAll(Stage<ByteBuffer, ByteBuffer> encoder, List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            assertThat(encoder.poll()).isNull();
            encoder.feed(buffer);
        }
        assertThat(encoder.poll()).isNull();
    }
}
