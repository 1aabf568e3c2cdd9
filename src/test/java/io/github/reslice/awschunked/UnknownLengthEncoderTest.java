package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UnknownLengthEncoderTest {

    private static final int KIB = 1024;
    private static final int CHUNK = 8 * KIB;

    private final UnknownLengthEncoder<ByteBuffer> encoder =
            new UnknownLengthEncoder<>(new Layout(CHUNK, ChecksumAlgorithm.CRC32, List.of()), BufferKind.BYTE_BUFFER);

    @Test
    void holdsAChunkThatIsNotFull() {
        assertThat(PlainRun.upTo(encoder, List.of(buffer(CHUNK - 1)))).isEmpty();
    }

    @Test
    void givesAFullChunkAtOnce() {
        List<ByteBuffer> pieces = PlainRun.upTo(encoder, List.of(buffer(CHUNK - KIB), buffer(KIB)));

        assertThat(sizes(pieces)).containsExactly("2000\r\n".length(), CHUNK - KIB, KIB);
    }

    @Test
    void givesTheRestWithItsOwnHeaderAtTheEnd() {
        List<ByteBuffer> pieces = PlainRun.of(encoder, List.of(buffer(CHUNK + 2 * KIB)));

        assertThat(text(pieces.get(2))).isEqualTo("\r\n800\r\n");
        assertThat(pieces.get(3).remaining()).isEqualTo(2 * KIB);
        assertThat(text(pieces.get(4))).startsWith("\r\n0\r\nx-amz-checksum-crc32:");
        assertThat(pieces).hasSize(5);
    }

    @Test
    void givesNothingAfterTheEnd() {
        PlainRun.of(encoder, List.of(buffer(CHUNK)));

        assertThat(encoder.poll()).isNull();
    }

    @Test
    void nothingBecomesAnEmptyBody() {
        assertThat(PlainRun.of(encoder, List.of()))
                .singleElement()
                .satisfies(end -> assertThat(text(end)).isEqualTo("0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n"));
    }

    @Test
    void aFullChunkIsNotHeldBackToBeTheLast() {
        List<ByteBuffer> pieces = PlainRun.of(encoder, List.of(buffer(CHUNK)));

        assertThat(text(pieces.get(0))).isEqualTo("2000\r\n");
        assertThat(text(pieces.get(2))).startsWith("\r\n0\r\n");
    }

    @Test
    void givesHeldBuffersAsTheSameObjects() {
        ByteBuffer first = buffer(3 * KIB);
        ByteBuffer second = buffer(KIB);
        ByteBuffer third = buffer(4 * KIB);
        List<ByteBuffer> pieces = PlainRun.upTo(encoder, List.of(first, second, third));

        assertThat(pieces.get(1)).isSameAs(first);
        assertThat(pieces.get(2)).isSameAs(second);
        assertThat(pieces.get(3)).isSameAs(third);
    }

    @Test
    void givesBuffersThatStraddleAsViewsOfTheirMemory() {
        ByteBuffer first = buffer(5 * KIB);
        ByteBuffer second = buffer(5 * KIB);
        ByteBuffer third = buffer(5 * KIB);
        List<ByteBuffer> pieces = PlainRun.of(encoder, List.of(first, second, third));

        assertThat(sizes(pieces.subList(0, 3))).containsExactly(6, 5 * KIB, 3 * KIB);
        assertThat(memory(pieces.get(2))).isSameAs(memory(second));
        assertThat(memory(pieces.get(4))).isSameAs(memory(second));
        assertThat(pieces.get(5)).isSameAs(third);
    }

    @Test
    void gathersPiecesUnderOneKibibyte() {
        ByteBuffer[] small = new ByteBuffer[CHUNK / 8];
        Arrays.setAll(small, i -> buffer(8));
        List<ByteBuffer> pieces = PlainRun.upTo(encoder, List.of(small));

        assertThat(pieces).hasSizeLessThan(8);
        assertThat(Sliced.join(pieces.subList(1, pieces.size()))).isEqualTo(Sliced.join(List.of(small)));
    }

    @Test
    void gathersTheTailOfABufferMuchLargerThanAChunk() {
        ByteBuffer huge = buffer(3 * CHUNK + 2 * KIB);
        List<ByteBuffer> pieces = PlainRun.of(encoder, List.of(huge));

        assertThat(pieces.get(7).remaining()).isEqualTo(2 * KIB);
        assertThat(memory(pieces.get(7))).isNotSameAs(memory(huge));
    }

    @Test
    void keepsTheOrderOfHeldAndGatheredPieces() {
        Random random = new Random(7);
        List<ByteBuffer> input = new ArrayList<>();
        byte[] payload = new byte[CHUNK];
        random.nextBytes(payload);
        int from = 0;
        for (int size : new int[] {10, 2 * KIB, 20, 30, KIB, 1, CHUNK - 3 * KIB - 61}) {
            input.add(ByteBuffer.wrap(payload, from, size).slice());
            from += size;
        }
        List<ByteBuffer> pieces = PlainRun.upTo(encoder, input);

        assertThat(Sliced.join(pieces.subList(1, pieces.size()))).isEqualTo(payload);
        assertThat(sizes(pieces)).containsExactly(6, 10, 2 * KIB, 50, KIB, 1, CHUNK - 3 * KIB - 61);
    }

    @Test
    void aHeldBufferThatAnotherReceiverHasReadMeanwhileIsGivenAsItWasFed() {
        ByteBuffer lentTwice = buffer(2 * KIB);
        byte[] content = Sliced.join(List.of(lentTwice));
        encoder.feed(lentTwice);
        assertThat(encoder.poll()).isNull();
        lentTwice.position(lentTwice.limit());
        encoder.end();
        encoder.poll();

        assertThat(Sliced.join(List.of(next()))).isEqualTo(content);
    }

    @Test
    void failsBeforeTheZeroChunkWhenATrailersValueDoesNotFit() {
        Layout broken = new Layout(CHUNK, null, List.of(new Trailer("x-note", 3, () -> "four")));
        UnknownLengthEncoder<ByteBuffer> failing = new UnknownLengthEncoder<>(broken, BufferKind.BYTE_BUFFER);
        failing.end();

        assertThatIllegalStateException().isThrownBy(failing::poll);
        assertThat(failing.poll()).isNull();
    }

    @Test
    void heldBuffersAreDiscardedAsThemselves() {
        ByteBuffer first = buffer(3 * KIB);
        ByteBuffer second = buffer(KIB);
        PlainRun.upTo(encoder, List.of(first, second));

        assertThat(discarded())
                .satisfiesExactly(
                        one -> assertThat(one).isSameAs(first),
                        other -> assertThat(other).isSameAs(second));
    }

    @Test
    void gatheredBytesAreNotDiscarded() {
        PlainRun.upTo(encoder, List.of(buffer(10), buffer(20)));

        assertThat(discarded()).isEmpty();
    }

    @Test
    void heldAndIncomingBuffersAreDiscardedWhenTheHeaderWasGiven() {
        ByteBuffer held = buffer(3 * KIB);
        ByteBuffer incoming = buffer(CHUNK);
        PlainRun.upTo(encoder, List.of(held));
        encoder.feed(incoming);
        encoder.poll();

        assertThat(discarded())
                .satisfiesExactly(
                        one -> assertThat(one).isSameAs(held),
                        other -> assertThat(other).isSameAs(incoming));
    }

    @Test
    void aHeaderThatNobodyReceivedIsNotDiscarded() {
        ByteBuffer held = buffer(3 * KIB);
        PlainRun.upTo(encoder, List.of(held));
        encoder.end();

        assertThat(discarded(next())).singleElement().isSameAs(held);
    }

    @Test
    void aHeldBufferThatNobodyReceivedIsDiscardedAsItself() {
        ByteBuffer held = buffer(3 * KIB);
        PlainRun.upTo(encoder, List.of(held));
        encoder.end();
        encoder.poll();

        assertThat(discarded(next())).singleElement().isSameAs(held);
    }

    @Test
    void gatheredBytesThatNobodyReceivedAreNotDiscarded() {
        PlainRun.upTo(encoder, List.of(buffer(10)));
        encoder.end();
        encoder.poll();

        assertThat(discarded(next())).isEmpty();
    }

    @Test
    void aViewThatNobodyReceivedIsDiscardedWithItsBuffer() {
        ByteBuffer held = buffer(3 * KIB);
        ByteBuffer straddling = buffer(CHUNK);
        PlainRun.upTo(encoder, List.of(held));
        encoder.feed(straddling);
        encoder.poll();
        encoder.poll();

        assertThat(discarded(next())).singleElement().isSameAs(straddling);
    }

    private ByteBuffer next() {
        return Objects.requireNonNull(encoder.poll());
    }

    private List<ByteBuffer> discarded() {
        List<ByteBuffer> discarded = new ArrayList<>();
        encoder.discard(held -> discarded.add((ByteBuffer) held));
        return discarded;
    }

    private List<ByteBuffer> discarded(ByteBuffer unsent) {
        List<ByteBuffer> discarded = new ArrayList<>();
        encoder.discardUnsent(unsent, held -> discarded.add((ByteBuffer) held));
        discarded.addAll(discarded());
        return discarded;
    }

    private static ByteBuffer buffer(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static List<Integer> sizes(List<ByteBuffer> pieces) {
        return pieces.stream().map(ByteBuffer::remaining).toList();
    }

    @SuppressWarnings("ByteBufferBackingArray") // it is the array's identity that counts
    private static byte[] memory(ByteBuffer buffer) {
        return buffer.array();
    }

    private static String text(ByteBuffer piece) {
        return US_ASCII.decode(piece.duplicate()).toString();
    }
}
