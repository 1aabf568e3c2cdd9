package io.github.reslice.awschunked;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.Effort;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.sigv4.SignedHeaders;
import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Stage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** What holds for every payload, slicing, kind of memory, chunk size, checksum and demand. */
class EncoderPropertyTest {

    private static final int CASES = Effort.cases(1_000, 20_000);
    private static final SignedHeaders SEED = Seed.any();

    @Test
    void anIndependentDecoderReadsThePayloadBack() {
        forAll(example -> {
            ReferenceDecoder.Body known = ReferenceDecoder.decode(Sliced.join(example.known()));
            assertThat(known.payload()).isEqualTo(example.payload);
            assertThat(known.trailers()).isEqualTo(example.trailers());
            assertThat(known.chunkSizes()).isEqualTo(example.chunkSizes());
        });
    }

    @Test
    void theBytesAreTheSameWhateverTheSlicingAndTheDemand() {
        forAll(example -> {
            byte[] wire = Sliced.join(example.known());
            assertThat(Sliced.join(example.cutAgain().known())).isEqualTo(wire);
            assertThat(Sliced.join(example.cutAgain().unknown())).isEqualTo(wire);
            assertThat(Sliced.join(example.cutAgain().unknown())).isEqualTo(wire);
        });
    }

    @Test
    void anIndependentDecoderReadsASignedPayloadBackAndFindsTheSignaturesRight() {
        forAll(example -> {
            ReferenceDecoder.Body body = ReferenceDecoder.decode(Sliced.join(example.signed()));
            assertThat(body.payload()).isEqualTo(example.payload);
            assertThat(body.chunkSizes()).isEqualTo(example.chunkSizes());
            List<String> signatures = new ArrayList<>(body.signatures());
            if (example.checksum != null) {
                signatures.add(body.trailers().get("x-amz-trailer-signature"));
                assertThat(body.trailers()).containsAllEntriesOf(example.trailers());
            }
            assertThat(signatures).isEqualTo(Seed.chain(SEED).of(body));
        });
    }

    @Test
    void signedBytesAreTheSameWhateverTheSlicingAndTheDemand() {
        forAll(example -> {
            byte[] wire = Sliced.join(example.signed());
            assertThat(wire.length).isEqualTo((int) example.signedLayout.encodedLength(example.payload.length));
            assertThat(Sliced.join(example.cutAgain().signed())).isEqualTo(wire);
            assertThat(Sliced.join(example.cutAgain().signedOfUnknownLength())).isEqualTo(wire);
        });
    }

    @Test
    void theLengthIsTheOneThatWasPredicted() {
        forAll(example -> assertThat((long) Sliced.join(example.known()).length)
                .isEqualTo(example.layout.encodedLength(example.payload.length)));
    }

    @Test
    void buffersAreNotTouched() {
        forAll(example -> {
            example.known();
            example.unknown();
            example.signed();
            example.sliced.assertUntouched();
        });
    }

    @Test
    void aKnownLengthCopiesNoPayload() {
        forAll(example -> {
            List<ByteBuffer> pieces = example.known();
            example.sliced.invert();
            assertThat(ReferenceDecoder.decode(Sliced.join(pieces)).payload()).isEqualTo(inverted(example.payload));
        });
    }

    @Test
    void aKnownLengthHandsOnWhatFitsAsTheSameObject() {
        forAll(example -> {
            Set<ByteBuffer> pieces = Collections.newSetFromMap(new IdentityHashMap<>());
            pieces.addAll(example.known());
            int from = 0;
            for (ByteBuffer buffer : example.sliced.buffers()) {
                int to = from + buffer.remaining();
                boolean fits = from < to && from / example.chunkSize == (to - 1) / example.chunkSize;
                assertThat(pieces.contains(buffer)).isEqualTo(fits);
                from = to;
            }
        });
    }

    private static void forAll(Consumer<Example> property) {
        for (int seed = 0; seed < CASES; seed++) {
            try {
                property.accept(new Example(new Random(seed)));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("Random case with seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static byte[] inverted(byte[] bytes) {
        byte[] inverted = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            inverted[i] = (byte) ~bytes[i];
        }
        return inverted;
    }

    private static final class Example {

        private final Random random;
        private final byte[] payload;
        private final int chunkSize;
        private final @Nullable ChecksumAlgorithm checksum;
        private final Layout layout;
        private final SignedLayout signedLayout;
        private final Sliced sliced;

        Example(Random random) {
            this.random = random;
            int[] bounds = {1, 3, 100, 5_000, 40_000};
            payload = new byte[random.nextInt(bounds[random.nextInt(bounds.length)])];
            random.nextBytes(payload);
            int least = 1 + payload.length / 500;
            chunkSize = random.nextInt(8) == 0
                    ? Math.max(1, payload.length / (1 + random.nextInt(4)))
                    : least + random.nextInt(random.nextBoolean() ? 64 : 20_000);
            ChecksumAlgorithm[] algorithms = ChecksumAlgorithm.values();
            int algorithm = random.nextInt(algorithms.length + 1);
            checksum = algorithm == algorithms.length ? null : algorithms[algorithm];
            layout = new Layout(chunkSize, checksum, List.of());
            signedLayout = new SignedLayout(layout);
            sliced = Sliced.atRandom(payload, random);
        }

        private Example(Example other) {
            random = other.random;
            payload = other.payload;
            chunkSize = other.chunkSize;
            checksum = other.checksum;
            layout = other.layout;
            signedLayout = other.signedLayout;
            sliced = Sliced.atRandom(payload, random);
        }

        Example cutAgain() {
            return new Example(this);
        }

        List<ByteBuffer> known() {
            return receive(() -> new KnownLengthEncoder<>(layout, BufferKind.BYTE_BUFFER, payload.length));
        }

        List<ByteBuffer> unknown() {
            return receive(() -> new UnknownLengthEncoder<>(layout, BufferKind.BYTE_BUFFER));
        }

        List<ByteBuffer> signed() {
            return receive(() -> new SignedEncoder<>(signedLayout, BufferKind.BYTE_BUFFER, SEED, payload.length));
        }

        List<ByteBuffer> signedOfUnknownLength() {
            return receive(() -> new SignedEncoder<>(signedLayout, BufferKind.BYTE_BUFFER, SEED));
        }

        private List<ByteBuffer> receive(Supplier<Stage<ByteBuffer, ByteBuffer>> stage) {
            LongSupplier demand = switch (random.nextInt(5)) {
                case 0 -> () -> 1;
                case 1 -> () -> 2;
                case 2 -> () -> 64;
                case 3 -> () -> 1 + random.nextInt(10);
                default -> () -> Long.MAX_VALUE;
            };
            Receiver receiver = new Receiver(demand);
            sliced.flux().transform(Stage.operator(stage)).subscribe(receiver);
            return receiver.pieces();
        }

        Map<String, String> trailers() {
            if (checksum == null) {
                return Map.of();
            }
            RunningChecksum running = checksum.start();
            running.update(payload, 0, payload.length);
            return Map.of(checksum.headerName(), running.base64());
        }

        List<Integer> chunkSizes() {
            List<Integer> sizes = new ArrayList<>();
            for (int left = payload.length; left > 0; left -= chunkSize) {
                sizes.add(Math.min(left, chunkSize));
            }
            return sizes;
        }
    }

    /** Asks anew when it has got what it asked for, and checks that it gets no more. */
    private static final class Receiver extends BaseSubscriber<ByteBuffer> {

        private final LongSupplier demand;
        private final List<ByteBuffer> pieces = new ArrayList<>();
        private long left;
        private @Nullable Throwable failure;
        private boolean completed;

        Receiver(LongSupplier demand) {
            this.demand = demand;
        }

        List<ByteBuffer> pieces() {
            assertThat(failure).isNull();
            assertThat(completed).isTrue();
            return pieces;
        }

        @Override
        protected void hookOnSubscribe(Subscription s) {
            left = demand.getAsLong();
            request(left);
        }

        @Override
        protected void hookOnNext(ByteBuffer piece) {
            pieces.add(piece);
            if (left <= 0) {
                failure = new AssertionError("More pieces came than were asked for");
            }
            if (--left == 0) {
                left = demand.getAsLong();
                request(left);
            }
        }

        @Override
        protected void hookOnError(Throwable t) {
            failure = t;
        }

        @Override
        protected void hookOnComplete() {
            completed = true;
        }
    }
}
