package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.sigv4.ChunkSignatures;
import io.github.reslice.sigv4.SignedHeaders;
import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The examples of the S3 API reference: a body whose chunks are signed, and one with a signed trailer. */
class PublishedSignedBodiesTest {

    private static final String PAYLOAD = "a".repeat(66560);
    private static final Limits LIMITS = new Limits(8192, 1 << 20, 1024, 16, 8192);

    private static final SignedHeaders SEED = Client.sign(Map.of(
            "Content-Encoding", "aws-chunked",
            "Content-Length", "66824",
            "x-amz-content-sha256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
            "x-amz-decoded-content-length", "66560",
            "x-amz-storage-class", "REDUCED_REDUNDANCY"));
    private static final String BODY =
            chunk("10000", "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648")
                    + chunk("400", "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497")
                    + "0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9\r\n\r\n";

    private static final SignedHeaders SEED_WITH_TRAILER = Client.sign(Map.of(
            "Content-Encoding", "aws-chunked",
            "x-amz-content-sha256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
            "x-amz-decoded-content-length", "66560",
            "x-amz-storage-class", "REDUCED_REDUNDANCY",
            "x-amz-trailer", "x-amz-checksum-crc32c"));
    private static final String CHUNKS_BEFORE_TRAILER =
            chunk("10000", "b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2")
                    + chunk("400", "1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7")
                    + "0;chunk-signature=2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992\r\n";
    private static final String BODY_WITH_TRAILER = CHUNKS_BEFORE_TRAILER
            + "x-amz-checksum-crc32c:sOO8/Q==\r\n"
            + "x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n";

    @Test
    void areTheLengthThatIsPublished() {
        assertThat(BODY).hasSize(66824);
        assertThat(BODY_WITH_TRAILER).hasSize(66946);
    }

    @Test
    void theSignedBodyDecodes() {
        Outcome outcome = decode(SEED, BODY);

        assertThat(outcome.verdict()).isEqualTo("complete");
        assertThat(outcome.text()).isEqualTo(PAYLOAD);
    }

    @Test
    void theBodyWithASignedTrailerDecodes() {
        Outcome outcome = decode(SEED_WITH_TRAILER, BODY_WITH_TRAILER);

        assertThat(outcome.verdict()).isEqualTo("complete");
        assertThat(outcome.text()).isEqualTo(PAYLOAD);
    }

    @Test
    void thePlainClientOfTheTestsWritesThem() {
        byte[] payload = PAYLOAD.getBytes(US_ASCII);

        assertThat(Client.signedBody(SEED, payload, 65536)).asString(US_ASCII).isEqualTo(BODY);
        assertThat(Client.signedBody(SEED_WITH_TRAILER, payload, 65536, "x-amz-checksum-crc32c:sOO8/Q=="))
                .asString(US_ASCII)
                .isEqualTo(BODY_WITH_TRAILER);
    }

    @Test
    void aTrailerSignatureOverCrlfIsRefused() {
        Outcome outcome = decode(
                SEED_WITH_TRAILER,
                BODY_WITH_TRAILER.replace(
                        "d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435",
                        "d16380766013baf78ac05cc8b7693317226aca26f4ddf754c395723b0dcfab24"));

        assertThat(outcome.reason()).isEqualTo(AwsChunkedException.Reason.TRAILER_SIGNATURE_MISMATCH);
    }

    @Test
    void theTrailerMayEndInLfCrlf() {
        Outcome outcome = decode(SEED_WITH_TRAILER, BODY_WITH_TRAILER.replace("/Q==\r\n", "/Q==\n\r\n"));

        assertThat(outcome.verdict()).isEqualTo("complete");
    }

    @Test
    void signaturesMayBeInUpperCase() {
        Outcome outcome = decode(
                SEED,
                BODY.replace(
                        "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497",
                        "0055627C9E194CB4542BAE2AA5492E3C1575BBB81B612B7D234B86A503EF5497"));

        assertThat(outcome.verdict()).isEqualTo("complete");
    }

    private static Outcome decode(SignedHeaders seed, String body) {
        return Outcome.of(
                Decoder.signed(
                        Announced.in(seed.headers()), LIMITS, BufferKind.BYTE_BUFFER, ChunkSignatures.following(seed)),
                List.of(ByteBuffer.wrap(body.getBytes(US_ASCII))));
    }

    private static String chunk(String size, String signature) {
        return size + ";chunk-signature=" + signature + "\r\n" + "a".repeat(Integer.parseInt(size, 16)) + "\r\n";
    }
}
