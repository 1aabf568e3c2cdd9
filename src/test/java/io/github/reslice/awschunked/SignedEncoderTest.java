package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.SignedHeaders;
import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SignedEncoderTest {

    private static final int KIB = 1024;
    private static final int CHUNK = 8 * KIB;
    private static final int HEADER = "2000".length() + 81 + 2;

    private final SignedLayout layout = new SignedLayout(new Layout(CHUNK, ChecksumAlgorithm.CRC32, List.of()));
    private final SignedHeaders seed = Seed.any();
    private final SignedEncoder<ByteBuffer> encoder = new SignedEncoder<>(layout, BufferKind.BYTE_BUFFER, seed);

    @Test
    void holdsAChunkThatIsNotFull() {
        assertThat(PlainRun.upTo(encoder, List.of(buffer(CHUNK - 1)))).isEmpty();
    }

    @Test
    void holdsAChunkOfAKnownLengthToo() {
        assertThat(PlainRun.upTo(declared(CHUNK), List.of(buffer(CHUNK - 1)))).isEmpty();
    }

    @Test
    void givesAFullChunkAtOnce() {
        List<ByteBuffer> pieces = PlainRun.upTo(encoder, List.of(buffer(CHUNK - KIB), buffer(KIB)));

        assertThat(sizes(pieces)).containsExactly(HEADER, CHUNK - KIB, KIB);
    }

    @Test
    void signsABufferOfManyChunksChunkByChunk() {
        List<ByteBuffer> pieces = PlainRun.of(encoder, List.of(buffer(KIB), buffer(5 * CHUNK), buffer(1)));

        assertThat(sizes(pieces.subList(0, 5))).containsExactly(HEADER, KIB, CHUNK - KIB, HEADER + 2, CHUNK);
        assertSigned(pieces);
    }

    @Test
    void signsNothingAsTheZeroChunkAndTheTrailer() {
        List<ByteBuffer> pieces = PlainRun.of(declared(0), List.of(buffer(0)));

        assertThat(pieces).hasSize(1);
        assertThat(text(pieces.get(0))).startsWith("0;chunk-signature=").contains("\r\nx-amz-checksum-crc32:AAAAAA==");
        assertSigned(pieces);
    }

    @Test
    void givesNothingAfterTheEnd() {
        PlainRun.of(encoder, List.of(buffer(CHUNK)));

        assertThat(encoder.poll()).isNull();
    }

    @Test
    void givesHeldBuffersAsTheSameObjects() {
        ByteBuffer first = buffer(5 * KIB);
        ByteBuffer second = buffer(3 * KIB);
        List<ByteBuffer> pieces = PlainRun.upTo(encoder, List.of(first, second));

        assertThat(pieces.get(1)).isSameAs(first);
        assertThat(pieces.get(2)).isSameAs(second);
    }

    @Test
    void signsAHeldBufferThatAnotherReceiverHasReadMeanwhileAsItWasFed() {
        ByteBuffer lentTwice = buffer(2 * KIB);
        encoder.feed(lentTwice);
        assertThat(encoder.poll()).isNull();
        lentTwice.position(lentTwice.limit());

        assertSigned(PlainRun.of(encoder, List.of()));
    }

    @Test
    void failsAtTheFirstBufferThatGoesBeyondTheDeclaredLength() {
        SignedEncoder<ByteBuffer> declared = declared(3 * KIB);
        PlainRun.upTo(declared, List.of(buffer(2 * KIB)));

        assertThatExceptionOfType(DecodedLengthException.class)
                .isThrownBy(() -> declared.feed(buffer(2 * KIB)))
                .withMessage("The body is longer than declared: 3072 bytes were declared, 4096 have come");
    }

    @Test
    void failsAtTheEndOfABodyThatIsTooShort() {
        SignedEncoder<ByteBuffer> declared = declared(3 * KIB);
        PlainRun.upTo(declared, List.of(buffer(2 * KIB)));

        assertThatExceptionOfType(DecodedLengthException.class)
                .isThrownBy(declared::end)
                .withMessage(
                        "The body is shorter than declared: 3072 bytes were declared, 2048 had come when it ended");
    }

    @Test
    void refusesALengthBelowZero() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> declared(-1))
                .withMessage("The decoded length must be 0 or more, was -1");
    }

    @Test
    void failsBeforeTheZeroChunkWhenATrailersValueDoesNotFit() {
        SignedEncoder<ByteBuffer> failing = new SignedEncoder<>(
                new SignedLayout(new Layout(CHUNK, null, List.of(new Trailer("x-note", 3, () -> "four")))),
                BufferKind.BYTE_BUFFER,
                seed);
        failing.end();

        assertThatIllegalStateException().isThrownBy(failing::poll);
        assertThat(failing.poll()).isNull();
    }

    @Test
    void theBufferThatGoesBeyondIsDiscardedAfterThoseHeld() {
        SignedEncoder<ByteBuffer> declared = declared(3 * KIB);
        ByteBuffer held = buffer(2 * KIB);
        ByteBuffer beyond = buffer(3 * KIB);
        PlainRun.upTo(declared, List.of(held));
        assertThatExceptionOfType(DecodedLengthException.class).isThrownBy(() -> declared.feed(beyond));

        List<ByteBuffer> discarded = new ArrayList<>();
        declared.discard(buffer -> discarded.add((ByteBuffer) buffer));
        assertThat(discarded)
                .satisfiesExactly(
                        one -> assertThat(one).isSameAs(held),
                        other -> assertThat(other).isSameAs(beyond));
    }

    @Test
    void aHeaderThatNobodyReceivedIsNotDiscarded() {
        ByteBuffer held = buffer(3 * KIB);
        PlainRun.upTo(encoder, List.of(held));
        encoder.end();
        ByteBuffer header = encoder.poll();

        List<ByteBuffer> discarded = new ArrayList<>();
        encoder.discardUnsent(header, buffer -> discarded.add((ByteBuffer) buffer));
        encoder.discard(buffer -> discarded.add((ByteBuffer) buffer));
        assertThat(discarded).singleElement().isSameAs(held);
    }

    private SignedEncoder<ByteBuffer> declared(long length) {
        return new SignedEncoder<>(layout, BufferKind.BYTE_BUFFER, seed, length);
    }

    private void assertSigned(List<ByteBuffer> pieces) {
        ReferenceDecoder.Body body = ReferenceDecoder.decode(Sliced.join(pieces));
        List<String> signatures = new ArrayList<>(body.signatures());
        signatures.add(body.trailers().get("x-amz-trailer-signature"));
        assertThat(signatures).isEqualTo(Seed.chain(seed).of(body));
    }

    private static ByteBuffer buffer(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static List<Integer> sizes(List<ByteBuffer> pieces) {
        return pieces.stream().map(ByteBuffer::remaining).toList();
    }

    private static String text(ByteBuffer piece) {
        return US_ASCII.decode(piece.duplicate()).toString();
    }
}
