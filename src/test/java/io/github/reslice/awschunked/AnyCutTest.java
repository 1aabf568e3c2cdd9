package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.awschunked.AwsChunkedException.Reason;
import io.github.reslice.sigv4.ChunkSignatures;
import io.github.reslice.sigv4.SignedHeaders;
import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** However a body is cut into buffers, it is the same body: with the same payload, or the same error at the same byte. */
class AnyCutTest {

    private static final Limits LIMITS = new Limits(5, 1 << 20, 1024, 16, 8192);
    private static final String CRC32 = "x-amz-checksum-crc32";
    private static final byte[] HELLO = "hello world".getBytes(US_ASCII);

    /** A body, and what reads it. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares examples
    private record Example(String name, byte[] wire, Supplier<Decoder<ByteBuffer>> decoder) {

        Outcome read(List<ByteBuffer> buffers) {
            return Outcome.of(decoder.get(), buffers);
        }

        Outcome readWhole(byte[] bytes) {
            return read(List.of(ByteBuffer.wrap(bytes)));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Example> bodies() {
        SignedHeaders signed = Client.seed(Mode.SIGNED, 11);
        SignedHeaders withTrailer = Client.seed(Mode.SIGNED_WITH_TRAILER, 11, CRC32);
        byte[] unsignedBody = Client.body(HELLO, 6, CRC32 + ":DUoRhQ==", "x-note:1");
        byte[] signedBody = Client.signedBody(signed, HELLO, 6);
        byte[] bodyWithTrailer = Client.signedBody(withTrailer, HELLO, 6, CRC32 + ":DUoRhQ==");
        byte[] withLf = new String(unsignedBody, US_ASCII)
                .replace("DUoRhQ==\r\n", "DUoRhQ==\n\r\n")
                .getBytes(US_ASCII);
        return Stream.of(
                new Example("nothing", "0\r\n\r\n".getBytes(US_ASCII), AnyCutTest::plain),
                new Example("unsigned", unsignedBody, AnyCutTest::unsigned),
                new Example("unsigned, LF CRLF", withLf, AnyCutTest::unsigned),
                new Example("signed", signedBody, () -> signed(signed)),
                new Example("signed, held", signedBody, () -> holding(signed)),
                new Example("signed with trailer", bodyWithTrailer, () -> signed(withTrailer)),
                new Example("signed with trailer, held", bodyWithTrailer, () -> holding(withTrailer)));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void decodesInTwoPartsWhereverItIsCut(Example body) {
        for (int at = 0; at <= body.wire.length; at++) {
            Outcome outcome = body.read(
                    List.of(ByteBuffer.wrap(body.wire, 0, at), ByteBuffer.wrap(body.wire, at, body.wire.length - at)));

            assertThat(outcome.verdict()).as("cut at %s", at).isEqualTo("complete");
            assertThat(outcome.handedOn())
                    .as("cut at %s", at)
                    .isEqualTo(body.readWhole(body.wire).handedOn());
        }
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void decodesInBuffersOfAnySize(Example body) {
        for (int size = 1; size <= body.wire.length; size++) {
            Outcome outcome = body.read(Sliced.bySize(body.wire, size).buffers());

            assertThat(outcome.verdict()).as("buffers of %s", size).isEqualTo("complete");
            assertThat(outcome.handedOn()).isEqualTo(body.readWhole(body.wire).handedOn());
        }
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void isRefusedWhereverItEndsTooSoon(Example body) {
        for (int length = 0; length < body.wire.length; length++) {
            byte[] cut = Arrays.copyOf(body.wire, length);
            String truncated = Reason.TRUNCATED + " at " + length;

            assertThat(body.readWhole(cut).verdict()).isEqualTo(truncated);
            for (int size = 1; size < 8; size++) {
                assertThat(body.read(Sliced.bySize(cut, size).buffers()).verdict())
                        .isEqualTo(truncated);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void handsOnNoMoreThanThePayloadAndInOrderWhereverItEnds(Example body) {
        byte[] payload = body.readWhole(body.wire).handedOn();
        for (int length = 0; length < body.wire.length; length++) {
            byte[] handedOn = body.readWhole(Arrays.copyOf(body.wire, length)).handedOn();

            assertThat(handedOn).isEqualTo(Arrays.copyOf(payload, handedOn.length));
        }
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void isWrongAtTheSameByteHoweverItIsCut(Example body) {
        for (int at = 0; at < body.wire.length; at++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] wrong = body.wire.clone();
                wrong[at] ^= (byte) (1 << bit);
                String verdict = body.readWhole(wrong).verdict();
                assertThat(body.read(Sliced.bySize(wrong, 1).buffers()).verdict())
                        .as("bit %s of byte %s, byte by byte", bit, at)
                        .isEqualTo(verdict);
                assertThat(body.read(Sliced.bySize(wrong, 7).buffers()).verdict())
                        .as("bit %s of byte %s, in sevens", bit, at)
                        .isEqualTo(verdict);
            }
        }
    }

    private static Decoder<ByteBuffer> plain() {
        return Decoder.unsigned(Announced.NOTHING, LIMITS, BufferKind.BYTE_BUFFER);
    }

    private static Decoder<ByteBuffer> unsigned() {
        return Decoder.unsigned(
                new Announced(null, 11L, new TreeSet<>(List.of(CRC32, "x-note"))), LIMITS, BufferKind.BYTE_BUFFER);
    }

    private static Decoder<ByteBuffer> signed(SignedHeaders seed) {
        return Decoder.signed(
                Announced.in(seed.headers()), LIMITS, BufferKind.BYTE_BUFFER, ChunkSignatures.following(seed));
    }

    private static Decoder<ByteBuffer> holding(SignedHeaders seed) {
        return Decoder.holdingChunks(
                Announced.in(seed.headers()), LIMITS, BufferKind.BYTE_BUFFER, ChunkSignatures.following(seed));
    }
}
