package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.reslice.checksum.ChecksumAlgorithm;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LayoutTest {

    private static final long TIB = 1L << 40;

    private final Layout layout = new Layout(131072, ChecksumAlgorithm.CRC32, List.of());

    @Test
    void aFullChunkCostsItsHeaderAndTwoLineEnds() {
        assertThat(layout.encodedLength(2 * 131072) - layout.encodedLength(131072))
                .isEqualTo("20000".length() + 4 + 131072);
    }

    @Test
    void aRestCostsItsOwnHeader() {
        assertThat(layout.encodedLength(131072 + 15) - layout.encodedLength(131072))
                .isEqualTo("f".length() + 4 + 15);
    }

    @Test
    void fiveTebibytesHaveTheRightLength() {
        assertThat(layout.encodedLength(5 * TIB)).isEqualTo(5 * TIB + (5 * TIB / 131072) * 9 + 36);
    }

    @Test
    void aRestOfNearlyAGibibyteHasTheRightLength() {
        Layout large = new Layout(Layout.MAX_CHUNK_SIZE, null, List.of());

        assertThat(large.encodedLength(3L * Layout.MAX_CHUNK_SIZE - 1))
                .isEqualTo(2 * (8 + 4 + 1073741824L) + (8 + 4 + 1073741823L) + 5);
    }

    @Test
    void refusesALengthWhoseEncodedOneOverflows() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> layout.encodedLength(Long.MAX_VALUE))
                .withMessageContaining("2^63")
                .withMessageContaining("9223372036854775807");
    }

    @Test
    void refusesANegativeLength() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> layout.encodedLength(-1))
                .withMessage("The decoded length must be 0 or more, was -1");
    }

    @Test
    void refusesAChunkOfNothing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Layout(0, null, List.of()))
                .withMessage("The chunk size must be from 1 to 1073741824 bytes, was 0");
    }

    @Test
    void refusesAChunkAboveAGibibyte() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Layout(Layout.MAX_CHUNK_SIZE + 1, null, List.of()))
                .withMessage("The chunk size must be from 1 to 1073741824 bytes, was 1073741825");
    }

    @Test
    void aHugeTrailerCountsInFull() {
        Trailer huge = new Trailer("huge", Integer.MAX_VALUE, () -> "");

        assertThat(new Layout(8192, null, List.of(huge)).encodedLength(0)).isEqualTo(5 + 4 + 1 + 2147483647L + 2);
    }

    @Test
    void theFirstHeaderHasNoLineEndInFront() {
        assertThat(text(layout.chunkHeader(131072, true))).isEqualTo("20000\r\n");
    }

    @Test
    void theNextHeaderEndsTheChunkBeforeIt() {
        assertThat(text(layout.chunkHeader(131072, false))).isEqualTo("\r\n20000\r\n");
    }

    @Test
    void aShortChunkHasAHeaderOfItsOwn() {
        assertThat(text(layout.chunkHeader(0xabc, true))).isEqualTo("abc\r\n");
        assertThat(text(layout.chunkHeader(0xabc, false))).isEqualTo("\r\nabc\r\n");
    }

    @Test
    void headersAndEndAreReadOnly() {
        assertThat(layout.chunkHeader(131072, true).isReadOnly()).isTrue();
        assertThat(layout.chunkHeader(131072, false).isReadOnly()).isTrue();
        assertThat(layout.chunkHeader(1, false).isReadOnly()).isTrue();
        assertThat(layout.end(false, "DUoRhQ==").isReadOnly()).isTrue();
    }

    @Test
    void aHeaderThatWasReadLeavesTheNextOneWhole() {
        ByteBuffer read = layout.chunkHeader(131072, false);
        read.position(read.limit());

        assertThat(text(layout.chunkHeader(131072, false))).isEqualTo("\r\n20000\r\n");
    }

    @Test
    void trailersKeepTheirOrderBehindTheChecksum() {
        Layout two = new Layout(
                8192,
                ChecksumAlgorithm.CRC32,
                List.of(new Trailer("x-b", 1, () -> "2"), new Trailer("x-a", 1, () -> "1")));

        assertThat(text(two.end(true, "DUoRhQ==")))
                .isEqualTo("0\r\nx-amz-checksum-crc32:DUoRhQ==\r\nx-b:2\r\nx-a:1\r\n\r\n");
    }

    @Test
    void aListThatGoesOnChangingLeavesTheTrailersAsTheyWere() {
        List<Trailer> trailers = new ArrayList<>(List.of(new Trailer("x-a", 1, () -> "1")));
        Layout one = new Layout(8192, null, trailers);
        trailers.add(new Trailer("x-b", 1, () -> "2"));

        assertThat(text(one.end(true, null))).isEqualTo("0\r\nx-a:1\r\n\r\n");
        assertThat(one.encodedLength(0)).isEqualTo("0\r\nx-a:1\r\n\r\n".length());
    }

    private static String text(ByteBuffer piece) {
        return US_ASCII.decode(piece.duplicate()).toString();
    }
}
