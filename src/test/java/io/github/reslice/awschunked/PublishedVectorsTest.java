package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.AwsChunked;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Bodies as other implementations publish them: the AWS SDKs for Go (aws_chunked_encoding_test.go) and Ruby
 * (checksum_algorithm_spec.rb), and botocore's checksums (test_httpchecksum.py).
 */
class PublishedVectorsTest {

    private static final int GO_DEFAULT = 64 * 1024;
    private static final int RUBY_CHUNK = 0x3ff8;

    @Test
    void nothingIsTheZeroChunkAlone() {
        assertEncodes("", GO_DEFAULT, null, "0\r\n\r\n");
    }

    @Test
    void aShortBodyIsOneChunk() {
        assertEncodes("hello world", GO_DEFAULT, null, "b\r\nhello world\r\n0\r\n\r\n");
    }

    @Test
    void aBodyIsCutAtTheChunkSize() {
        assertEncodes("hello world", 8, null, "8\r\nhello wo\r\n3\r\nrld\r\n0\r\n\r\n");
    }

    @Test
    void aTrailerStandsBehindTheZeroChunk() {
        assertEncodes(
                "hello world",
                GO_DEFAULT,
                null,
                "b\r\nhello world\r\n0\r\nfoo:abc123\r\n\r\n",
                new Trailer("foo", 6, () -> "abc123"));
    }

    @Test
    void aChunkMayBeOneByte() {
        assertEncodes(
                "Hello world",
                1,
                null,
                "1\r\nH\r\n1\r\ne\r\n1\r\nl\r\n1\r\nl\r\n1\r\no\r\n1\r\n \r\n1\r\nw\r\n1\r\no\r\n1\r\nr\r\n1\r\nl\r\n1\r\nd\r\n0\r\n\r\n");
    }

    @Test
    void aChunkMayBeLargerThanTheBody() {
        assertEncodes("Hello world", 20, null, "b\r\nHello world\r\n0\r\n\r\n");
    }

    @Test
    void nothingHasAChecksumToo() {
        assertEncodes("", RUBY_CHUNK, ChecksumAlgorithm.CRC32, "0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n");
    }

    @Test
    void fullChunksAndARestHaveTheChecksumOfAll() {
        String x = "x".repeat(RUBY_CHUNK);
        assertEncodes(
                "x".repeat(32768),
                RUBY_CHUNK,
                ChecksumAlgorithm.CRC32,
                "3ff8\r\n" + x + "\r\n3ff8\r\n" + x + "\r\n10\r\n" + "x".repeat(16)
                        + "\r\n0\r\nx-amz-checksum-crc32:uj4bwQ==\r\n\r\n");
        assertThat(new Layout(RUBY_CHUNK, ChecksumAlgorithm.CRC32, List.of()).encodedLength(32768))
                .isEqualTo(32826);
    }

    @ParameterizedTest
    @CsvSource({
        "CRC32, DUoRhQ==",
        "CRC32C, yZRlqg==",
        "CRC64NVME, jSnVw/bqjr4=",
        "SHA1, Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
        "SHA256, uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=",
        "SHA512, MJ7MSJwS1utMxA9QyQLytNDtd+5RGnx6m808qG1M2G+YndNbxf9JlnDaNCVbRbDP2DDoH2Bdz33FVC6TrpzXbw==",
        "MD5, XrY7u+Ae7tCTyyK7j1rNww==",
        "XXHASH64, RatnNLIeaWg=",
        "XXHASH3, 1Eex6kDmmIs=",
        "XXHASH128, 340J6T+HSQCpm4d1zBW2xw=="
    })
    void everyAlgorithmsValueIsInItsTrailer(ChecksumAlgorithm algorithm, String value) {
        assertEncodes(
                "hello world",
                8192,
                algorithm,
                "b\r\nhello world\r\n0\r\n" + algorithm.headerName() + ":" + value + "\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({"CRC32, sK4Y7A==", "CRC32C, sOO8/Q==", "CRC64NVME, pRf+emrnL+A="})
    void theReferencesExampleBodyHasItsChecksum(ChecksumAlgorithm algorithm, String value) {
        assertEncodes(
                "a".repeat(66560),
                65536,
                algorithm,
                "10000\r\n" + "a".repeat(65536) + "\r\n400\r\n" + "a".repeat(1024) + "\r\n0\r\n"
                        + algorithm.headerName() + ":" + value + "\r\n\r\n");
    }

    @Test
    void helloWorldWithItsCrcIs52Bytes() {
        assertThat(AwsChunked.builder().build().encodedLength(11)).isEqualTo(52);
    }

    @Test
    void nothingWithItsCrcIs36Bytes() {
        assertThat(AwsChunked.builder().build().encodedLength(0)).isEqualTo(36);
    }

    private static void assertEncodes(
            String payload, int chunkSize, @Nullable ChecksumAlgorithm checksum, String wire, Trailer... trailers) {
        Layout layout = new Layout(chunkSize, checksum, Arrays.asList(trailers));
        List<ByteBuffer> input = List.of(ByteBuffer.wrap(payload.getBytes(US_ASCII)));
        assertThat(text(PlainRun.of(new KnownLengthEncoder<>(layout, BufferKind.BYTE_BUFFER, payload.length()), input)))
                .isEqualTo(wire);
        assertThat(text(PlainRun.of(new UnknownLengthEncoder<>(layout, BufferKind.BYTE_BUFFER), input)))
                .isEqualTo(wire);
        assertThat(layout.encodedLength(payload.length())).isEqualTo(wire.length());
    }

    private static String text(List<ByteBuffer> pieces) {
        return new String(Sliced.join(pieces), US_ASCII);
    }
}
