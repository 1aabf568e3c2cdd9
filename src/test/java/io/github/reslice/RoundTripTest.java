package io.github.reslice;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.awschunked.Announced;
import io.github.reslice.awschunked.Decoder;
import io.github.reslice.awschunked.KnownLengthEncoder;
import io.github.reslice.awschunked.Layout;
import io.github.reslice.awschunked.Limits;
import io.github.reslice.awschunked.Mode;
import io.github.reslice.awschunked.Sliced;
import io.github.reslice.awschunked.Trailer;
import io.github.reslice.awschunked.UnknownLengthEncoder;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Stage;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Whatever the payload, the slicing, the chunk size, the checksum and the demand: what is decoded is what was encoded. */
class RoundTripTest {

    private static final int CASES = Effort.cases(1_000, 20_000);

    @Test
    void aBodyOfAKnownLengthIsReadBack() {
        forAll(example -> example.encode(
                () -> new KnownLengthEncoder<>(example.layout, BufferKind.BYTE_BUFFER, example.payload.length)));
    }

    @Test
    void aBodyOfAnUnknownLengthIsReadBack() {
        forAll(example -> example.encode(() -> new UnknownLengthEncoder<>(example.layout, BufferKind.BYTE_BUFFER)));
    }

    /** How an example's payload gets encoded. */
    private interface Encoding {
        Flux<ByteBuffer> of(Example example);
    }

    private static void forAll(Encoding encoding) {
        for (int seed = 0; seed < CASES; seed++) {
            try {
                Example example = new Example(new Random(seed));
                assertThat(example.decode(encoding.of(example))).isEqualTo(example.payload);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("Random case with seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static final class Example {

        private final Random random;
        private final byte[] payload;
        private final Layout layout;
        private final Announced announced;
        private final Limits limits;

        Example(Random random) {
            this.random = random;
            int[] bounds = {1, 3, 100, 5_000, 40_000};
            payload = new byte[random.nextInt(bounds[random.nextInt(bounds.length)])];
            random.nextBytes(payload);
            int chunkSize = 1 + payload.length / 500 + random.nextInt(random.nextBoolean() ? 64 : 20_000);
            ChecksumAlgorithm checksum = checksum();
            List<Trailer> trailers = random.nextInt(4) == 0 ? List.of(new Trailer("x-note", 2, () -> "ok")) : List.of();
            layout = new Layout(chunkSize, checksum, trailers);
            TreeSet<String> names = new TreeSet<>();
            trailers.forEach(trailer -> names.add(trailer.name()));
            if (checksum != null) {
                names.add(checksum.headerName());
            }
            announced = new Announced(Mode.UNSIGNED, random.nextBoolean() ? (long) payload.length : null, names);
            limits = new Limits(chunkSize, chunkSize, 16, names.size(), 200);
        }

        private @Nullable ChecksumAlgorithm checksum() {
            ChecksumAlgorithm[] algorithms = ChecksumAlgorithm.values();
            int algorithm = random.nextInt(algorithms.length + 1);
            return algorithm == algorithms.length ? null : algorithms[algorithm];
        }

        Flux<ByteBuffer> encode(Supplier<Stage<ByteBuffer, ByteBuffer>> encoder) {
            return Sliced.atRandom(payload, random).flux().transform(Stage.operator(encoder));
        }

        /** As it was written, or cut anew as a network would. */
        byte[] decode(Flux<ByteBuffer> encoded) {
            Flux<ByteBuffer> wire = random.nextBoolean()
                    ? encoded
                    : encoded.collectList()
                            .flatMapMany(pieces ->
                                    Sliced.atRandom(Sliced.join(pieces), random).flux());
            PacedReceiver<ByteBuffer> receiver = new PacedReceiver<>(demand());
            wire.transform(Stage.operator(() -> Decoder.unsigned(announced, limits, BufferKind.BYTE_BUFFER)))
                    .subscribe(receiver);
            return Sliced.join(receiver.completed());
        }

        private LongSupplier demand() {
            return switch (random.nextInt(4)) {
                case 0 -> () -> 1;
                case 1 -> () -> 64;
                case 2 -> () -> 1 + random.nextInt(10);
                default -> () -> Long.MAX_VALUE;
            };
        }
    }
}
