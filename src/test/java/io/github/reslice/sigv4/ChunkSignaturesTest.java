package io.github.reslice.sigv4;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The examples of the S3 API reference, for signed bodies with and without a trailer. */
class ChunkSignaturesTest {

    private static final SigV4 SIGV4 = SigV4.builder()
            .region("us-east-1")
            .clock(Clock.fixed(Instant.parse("2013-05-24T00:00:00Z"), ZoneOffset.UTC))
            .build();
    private static final AwsCredentials CREDENTIALS =
            AwsCredentials.of("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");

    private final ChunkSignatures signatures = ChunkSignatures.following(SIGV4.sign(
            "PUT",
            URI.create("https://s3.amazonaws.com/examplebucket/chunkObject.txt"),
            Map.of(
                    "Content-Encoding", "aws-chunked",
                    "Content-Length", "66824",
                    "x-amz-content-sha256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
                    "x-amz-decoded-content-length", "66560",
                    "x-amz-storage-class", "REDUCED_REDUNDANCY"),
            CREDENTIALS));
    private final ChunkSignatures withTrailer = ChunkSignatures.following(SIGV4.sign(
            "PUT",
            URI.create("https://s3.amazonaws.com/examplebucket/chunkObject.txt"),
            Map.of(
                    "Content-Encoding", "aws-chunked",
                    "x-amz-content-sha256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
                    "x-amz-decoded-content-length", "66560",
                    "x-amz-storage-class", "REDUCED_REDUNDANCY",
                    "x-amz-trailer", "x-amz-checksum-crc32c"),
            CREDENTIALS));

    @Test
    void signEachChunkOverTheOneBefore() {
        assertThat(chunk(signatures, 65536))
                .isEqualTo("ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648");
        assertThat(chunk(signatures, 1024))
                .isEqualTo("0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497");
        assertThat(chunk(signatures, 0)).isEqualTo("b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9");
    }

    @Test
    void signTheTrailerOverTheZeroChunk() {
        chunk(withTrailer, 65536);
        chunk(withTrailer, 1024);
        chunk(withTrailer, 0);

        withTrailer.endTrailer("x-amz-checksum-crc32c:sOO8/Q==\n");

        assertThat(latest(withTrailer)).isEqualTo("d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435");
    }

    @Test
    void matchWhatWasSignedInEitherCase() {
        String signature = chunk(signatures, 65536);

        assertThat(signatures.matches(signature.getBytes(US_ASCII))).isTrue();
        assertThat(signatures.matches(signature.toUpperCase(Locale.ROOT).getBytes(US_ASCII)))
                .isTrue();
    }

    @Test
    void doNotMatchAnotherSignature() {
        byte[] signature = chunk(signatures, 65536).getBytes(US_ASCII);
        signature[63] ^= 1;

        assertThat(signatures.matches(signature)).isFalse();
        assertThat(signatures.matches(Arrays.copyOf(signature, 63))).isFalse();
        assertThat(signatures.matches(new byte[0])).isFalse();
    }

    @Test
    void takeDirectAndReadOnlyBuffersAndTouchNeither() {
        ByteBuffer direct = ByteBuffer.allocateDirect(65538).position(7);
        for (int i = 1; i < 65537; i++) {
            direct.put(i, (byte) 'a');
        }
        ByteBuffer readOnly = direct.asReadOnlyBuffer();

        readOnly.limit(60000);

        signatures.update(direct, 1, 60000);
        signatures.update(readOnly, 60001, 5536);
        signatures.endChunk();

        assertThat(latest(signatures)).isEqualTo("ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648");
        assertThat(direct.position()).isEqualTo(7);
        assertThat(readOnly.position()).isEqualTo(7);
        assertThat(readOnly.limit()).isEqualTo(60000);
    }

    @Test
    void refuseBytesThatTheBufferDoesNotHave() {
        ByteBuffer part = ByteBuffer.wrap(new byte[10]).slice(4, 3);

        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> signatures.update(part, -1, 2));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> signatures.update(part, 2, 2));
    }

    @Test
    void tellNothingOfTheKey() {
        assertThat(signatures).hasToString("ChunkSignatures");
    }

    private static String chunk(ChunkSignatures signatures, int size) {
        byte[] data = new byte[size];
        Arrays.fill(data, (byte) 'a');
        signatures.update(ByteBuffer.wrap(data), 0, size);
        signatures.endChunk();
        return latest(signatures);
    }

    private static String latest(ChunkSignatures signatures) {
        ByteBuffer target = ByteBuffer.allocate(ChunkSignatures.LENGTH);
        signatures.writeTo(target);
        return new String(target.array(), US_ASCII);
    }
}
