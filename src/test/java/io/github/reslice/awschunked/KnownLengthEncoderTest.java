package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class KnownLengthEncoderTest {

    private final Layout layout = new Layout(8, ChecksumAlgorithm.CRC32, List.of());

    @Test
    void givesHeaderDataAndEndInOrder() {
        assertThat(texts(PlainRun.of(encoder(11), List.of(ascii("hello world")))))
                .containsExactly(
                        "8\r\n", "hello wo", "\r\n3\r\n", "rld", "\r\n0\r\nx-amz-checksum-crc32:DUoRhQ==\r\n\r\n");
    }

    @Test
    void givesNothingBeforeItIsFed() {
        assertThat(encoder(11).poll()).isNull();
    }

    @Test
    void writesTheHeaderWhenTheChunksFirstByteComes() {
        assertThat(texts(PlainRun.upTo(encoder(11), List.of(ascii("h"))))).containsExactly("8\r\n", "h");
    }

    @Test
    void givesABufferInsideOneChunkAsTheSameObject() {
        ByteBuffer first = ascii("hell");
        ByteBuffer second = ascii("o wo");
        List<ByteBuffer> pieces = PlainRun.upTo(encoder(11), List.of(first, second));

        assertThat(pieces.get(1)).isSameAs(first);
        assertThat(pieces.get(2)).isSameAs(second);
    }

    @Test
    void givesABufferThatStraddlesAsViewsOfItsMemory() {
        ByteBuffer buffer = ascii("hello world");
        List<ByteBuffer> pieces = PlainRun.upTo(encoder(11), List.of(buffer));

        assertThat(pieces.get(1)).isNotSameAs(buffer);
        assertThat(memory(pieces.get(1))).isSameAs(memory(buffer));
        assertThat(memory(pieces.get(3))).isSameAs(memory(buffer));
    }

    @Test
    void endsOnlyWhenToldSo() {
        KnownLengthEncoder<ByteBuffer> encoder = encoder(3);
        List<ByteBuffer> before = PlainRun.upTo(encoder, List.of(ascii("abc")));
        encoder.end();

        assertThat(texts(before)).containsExactly("3\r\n", "abc");
        assertThat(text(next(encoder))).startsWith("\r\n0\r\n");
    }

    @Test
    void givesNothingAfterTheEnd() {
        KnownLengthEncoder<ByteBuffer> encoder = encoder(3);
        PlainRun.of(encoder, List.of(ascii("abc")));

        assertThat(encoder.poll()).isNull();
    }

    @Test
    void writesNoChunkForAnEmptyBuffer() {
        assertThat(texts(PlainRun.upTo(encoder(11), List.of(ascii(""), ascii("hello wo"), ascii("")))))
                .containsExactly("8\r\n", "hello wo");
    }

    @Test
    void failsAtTheBufferThatGoesBeyondTheDeclaredLength() {
        KnownLengthEncoder<ByteBuffer> encoder = encoder(5);
        List<ByteBuffer> before = PlainRun.upTo(encoder, List.of(ascii("hel")));

        assertThatExceptionOfType(DecodedLengthException.class)
                .isThrownBy(() -> encoder.feed(ascii("lo!")))
                .withMessage("The body is longer than declared: 5 bytes were declared, 6 have come")
                .satisfies(e -> assertThat(e.declared()).isEqualTo(5))
                .satisfies(e -> assertThat(e.received()).isEqualTo(6));
        assertThat(texts(before)).containsExactly("5\r\n", "hel");
    }

    @Test
    void givesBackABufferThatGoesBeyond() {
        KnownLengthEncoder<ByteBuffer> encoder = encoder(5);
        ByteBuffer beyond = ascii("hello!");
        assertThatExceptionOfType(DecodedLengthException.class).isThrownBy(() -> encoder.feed(beyond));
        List<Object> discarded = new ArrayList<>();

        encoder.discard(discarded::add);

        assertThat(discarded).singleElement().isSameAs(beyond);
    }

    @Test
    void failsAtTheEndOfABodyThatIsTooShort() {
        KnownLengthEncoder<ByteBuffer> encoder = encoder(20);
        PlainRun.upTo(encoder, List.of(ascii("hello world")));

        assertThatExceptionOfType(DecodedLengthException.class)
                .isThrownBy(encoder::end)
                .withMessage("The body is shorter than declared: 20 bytes were declared, 11 had come when it ended")
                .satisfies(e -> assertThat(e.declared()).isEqualTo(20))
                .satisfies(e -> assertThat(e.received()).isEqualTo(11));
    }

    @Test
    void givesNothingAfterATooShortEnd() {
        KnownLengthEncoder<ByteBuffer> encoder = encoder(20);
        PlainRun.upTo(encoder, List.of(ascii("hello world")));
        assertThatExceptionOfType(DecodedLengthException.class).isThrownBy(encoder::end);

        assertThat(encoder.poll()).isNull();
    }

    @Test
    void aBodyThatIsMissingAltogetherHintsAtAOneShotSource() {
        assertThatExceptionOfType(DecodedLengthException.class)
                .isThrownBy(encoder(20)::end)
                .withMessageContaining("20 bytes were declared, 0 had come")
                .withMessageContaining("read only once");
    }

    @Test
    void failsBeforeTheZeroChunkWhenATrailersValueDoesNotFit() {
        Layout broken = new Layout(8, null, List.of(new Trailer("x-note", 3, () -> "four")));
        KnownLengthEncoder<ByteBuffer> encoder = new KnownLengthEncoder<>(broken, BufferKind.BYTE_BUFFER, 3);
        List<ByteBuffer> before = PlainRun.upTo(encoder, List.of(ascii("abc")));
        encoder.end();

        assertThatIllegalStateException().isThrownBy(encoder::poll);
        assertThat(encoder.poll()).isNull();
        assertThat(texts(before)).containsExactly("3\r\n", "abc");
    }

    @Test
    void refusesANegativeLength() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> encoder(-5))
                .withMessage("The decoded length must be 0 or more, was -5");
    }

    @Test
    void aBufferOfWhichNothingWasGivenIsDiscardedAsItself() {
        KnownLengthEncoder<ByteBuffer> encoder = encoder(11);
        ByteBuffer buffer = ascii("hello world");
        encoder.feed(buffer);

        assertThat(discarded(encoder)).singleElement().isSameAs(buffer);
    }

    @Test
    void aBufferOfWhichTheHeaderAloneWasGivenIsDiscardedAsItself() {
        KnownLengthEncoder<ByteBuffer> encoder = encoder(11);
        ByteBuffer buffer = ascii("hello world");
        encoder.feed(buffer);
        encoder.poll();

        assertThat(discarded(encoder)).singleElement().isSameAs(buffer);
    }

    @Test
    void aBufferPartlyGivenIsDiscardedByItsRest() {
        KnownLengthEncoder<ByteBuffer> encoder = encoder(11);
        encoder.feed(ascii("hello world"));
        encoder.poll();
        encoder.poll();

        assertThat(discarded(encoder))
                .singleElement()
                .satisfies(rest -> assertThat(text(rest)).isEqualTo("rld"));
    }

    @Test
    void aViewThatNobodyReceivedIsDiscardedWithItsBuffer() {
        KnownLengthEncoder<ByteBuffer> encoder = encoder(11);
        ByteBuffer buffer = ascii("hello world");
        encoder.feed(buffer);
        encoder.poll();
        ByteBuffer unsent = next(encoder);

        assertThat(discarded(encoder, unsent)).singleElement().isSameAs(buffer);
    }

    @Test
    void aWholeBufferThatNobodyReceivedIsDiscardedAsItself() {
        KnownLengthEncoder<ByteBuffer> encoder = encoder(8);
        ByteBuffer buffer = ascii("hello");
        encoder.feed(buffer);
        encoder.poll();
        ByteBuffer unsent = next(encoder);

        assertThat(discarded(encoder, unsent)).singleElement().isSameAs(buffer);
    }

    @Test
    void theLastViewThatNobodyReceivedIsDiscardedAsTheRest() {
        KnownLengthEncoder<ByteBuffer> encoder = encoder(11);
        encoder.feed(ascii("hello world"));
        encoder.poll();
        encoder.poll();
        encoder.poll();
        ByteBuffer unsent = next(encoder);

        assertThat(discarded(encoder, unsent)).singleElement().isSameAs(unsent);
    }

    @Test
    void aHeaderThatNobodyReceivedIsNotDiscarded() {
        KnownLengthEncoder<ByteBuffer> encoder = encoder(11);
        ByteBuffer buffer = ascii("hello world");
        encoder.feed(buffer);
        ByteBuffer unsent = next(encoder);

        assertThat(discarded(encoder, unsent)).singleElement().isSameAs(buffer);
    }

    @Test
    void theEndThatNobodyReceivedIsNotDiscarded() {
        KnownLengthEncoder<ByteBuffer> encoder = encoder(0);
        encoder.end();
        ByteBuffer unsent = next(encoder);

        assertThat(discarded(encoder, unsent)).isEmpty();
    }

    @Test
    void nothingIsDiscardedAfterTheEnd() {
        KnownLengthEncoder<ByteBuffer> encoder = encoder(11);
        PlainRun.of(encoder, List.of(ascii("hello world")));

        assertThat(discarded(encoder)).isEmpty();
    }

    @Test
    void aBufferThatAnotherReceiverHasReadMeanwhileIsGivenAsItWasFed() {
        KnownLengthEncoder<ByteBuffer> encoder = encoder(5);
        ByteBuffer buffer = ascii("hello");
        encoder.feed(buffer);
        encoder.poll();
        buffer.position(buffer.limit());

        assertThat(text(next(encoder))).isEqualTo("hello");
    }

    private KnownLengthEncoder<ByteBuffer> encoder(long length) {
        return new KnownLengthEncoder<>(layout, BufferKind.BYTE_BUFFER, length);
    }

    private static ByteBuffer next(KnownLengthEncoder<ByteBuffer> encoder) {
        return Objects.requireNonNull(encoder.poll());
    }

    private static List<ByteBuffer> discarded(KnownLengthEncoder<ByteBuffer> encoder) {
        List<ByteBuffer> discarded = new ArrayList<>();
        encoder.discard(held -> discarded.add((ByteBuffer) held));
        return discarded;
    }

    private static List<ByteBuffer> discarded(KnownLengthEncoder<ByteBuffer> encoder, ByteBuffer unsent) {
        List<ByteBuffer> discarded = new ArrayList<>();
        encoder.discardUnsent(unsent, held -> discarded.add((ByteBuffer) held));
        discarded.addAll(discarded(encoder));
        return discarded;
    }

    private static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(text.getBytes(US_ASCII));
    }

    private static List<String> texts(List<ByteBuffer> pieces) {
        return pieces.stream().map(KnownLengthEncoderTest::text).toList();
    }

    @SuppressWarnings("ByteBufferBackingArray") // it is the array's identity that counts
    private static byte[] memory(ByteBuffer buffer) {
        return buffer.array();
    }

    private static String text(ByteBuffer piece) {
        return US_ASCII.decode(piece.duplicate()).toString();
    }
}
