package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.ChunkSignatures;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class SignedLayoutTest {

    private static final String SIGNATURE = "[0-9a-f]{64}";

    private final SignedLayout layout = new SignedLayout(new Layout(65536, null, List.of()));
    private final SignedLayout withTrailer = new SignedLayout(new Layout(65536, ChecksumAlgorithm.CRC32C, List.of()));
    private final ChunkSignatures signatures = ChunkSignatures.following(Seed.any());

    @Test
    void theModeSaysWhetherThereAreTrailers() {
        assertThat(layout.mode()).isEqualTo("STREAMING-AWS4-HMAC-SHA256-PAYLOAD");
        assertThat(withTrailer.mode()).isEqualTo("STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER");
    }

    @Test
    void theReferencesExamplesHaveTheirLengths() {
        assertThat(layout.encodedLength(66560)).isEqualTo(66824);
        assertThat(withTrailer.encodedLength(66560)).isEqualTo(66946);
    }

    @Test
    void aFullChunkCostsItsHeaderWithASignatureAndTwoLineEnds() {
        assertThat(layout.encodedLength(2 * 65536) - layout.encodedLength(65536))
                .isEqualTo("10000".length() + 81 + 4 + 65536);
    }

    @Test
    void nothingCostsTheZeroChunkAlone() {
        assertThat(layout.encodedLength(0)).isEqualTo(1 + 81 + 2 + 2);
    }

    @Test
    void refusesALengthWhoseEncodedOneOverflowsByItsSignaturesAlone() {
        Layout unsigned = new Layout(65536, null, List.of());
        long most = Long.MAX_VALUE - Long.MAX_VALUE / 65536 * 20;

        assertThat(unsigned.encodedLength(most)).isPositive();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SignedLayout(unsigned).encodedLength(most))
                .withMessageContaining("2^63")
                .withMessageContaining(Long.toString(most));
    }

    @Test
    void theFirstHeaderHasNoLineEndInFront() {
        assertThat(text(layout.chunkHeader(65536, true, signatures)))
                .matches("10000;chunk-signature=" + SIGNATURE + "\r\n");
    }

    @Test
    void theNextHeaderEndsTheChunkBeforeIt() {
        assertThat(text(layout.chunkHeader(65536, false, signatures)))
                .matches("\r\n10000;chunk-signature=" + SIGNATURE + "\r\n");
    }

    @Test
    void aShortChunkHasAHeaderOfItsOwn() {
        assertThat(text(layout.chunkHeader(0xabc, true, signatures)))
                .matches("abc;chunk-signature=" + SIGNATURE + "\r\n");
        assertThat(text(layout.chunkHeader(0xabc, false, signatures)))
                .matches("\r\nabc;chunk-signature=" + SIGNATURE + "\r\n");
    }

    @Test
    void everyHeaderHasASignatureOfItsOwn() {
        ByteBuffer one = layout.chunkHeader(65536, false, signatures);
        ByteBuffer other = layout.chunkHeader(65536, false, signatures);

        assertThat(text(one)).isNotEqualTo(text(other));
    }

    @Test
    void headersAndEndAreReadOnly() {
        assertThat(layout.chunkHeader(65536, true, signatures).isReadOnly()).isTrue();
        assertThat(layout.chunkHeader(1, false, signatures).isReadOnly()).isTrue();
        assertThat(layout.end(false, null, signatures).isReadOnly()).isTrue();
    }

    @Test
    void anEndWithoutTrailersIsTheSignedZeroChunk() {
        assertThat(text(layout.end(false, null, signatures)))
                .matches("\r\n0;chunk-signature=" + SIGNATURE + "\r\n\r\n");
    }

    @Test
    void trailersKeepTheirOrderOnTheWireAndAreSignedByTheirNames() {
        SignedLayout three = new SignedLayout(new Layout(
                8192,
                ChecksumAlgorithm.CRC32,
                List.of(
                        new Trailer("x-B", 1, () -> "2"),
                        new Trailer("x-a-b", 1, () -> "1"),
                        new Trailer("x-a", 1, () -> "0"))));

        String end = text(three.end(true, "DUoRhQ==", signatures));

        assertThat(end)
                .matches("0;chunk-signature=" + SIGNATURE
                        + "\r\nx-amz-checksum-crc32:DUoRhQ==\r\nx-b:2\r\nx-a-b:1\r\nx-a:0\r\nx-amz-trailer-signature:"
                        + SIGNATURE + "\r\n\r\n");
        assertThat(end).hasSize((int) three.encodedLength(0));
        ReferenceDecoder.Body body = ReferenceDecoder.decode(end.getBytes(US_ASCII));
        assertThat(body.trailers())
                .containsEntry(
                        "x-amz-trailer-signature",
                        Seed.chain(Seed.any()).of(body).get(1));
    }

    private static String text(ByteBuffer piece) {
        return US_ASCII.decode(piece.duplicate()).toString();
    }
}
