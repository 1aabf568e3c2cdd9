package io.github.reslice;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.reslice.awschunked.Client;
import io.github.reslice.awschunked.Mode;
import io.github.reslice.sigv4.SignedHeaders;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a decoder refuses to be told, by its builder or by a request. */
class AwsChunkedDecoderArgumentsTest {

    private static final String CRC32 = "x-amz-checksum-crc32";

    @ParameterizedTest
    @ValueSource(strings = {"", "a,", ",a", "a,,b", "a, A", "x-note,a,x-note"})
    void refusesAnAnnouncementWithAnEmptyNameOrOneTwice(String announced) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder()
                        .headers(Map.of(
                                "x-amz-content-sha256",
                                "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
                                "x-amz-trailer",
                                announced)));
    }

    @Test
    void refusesBoundsThatAreTooSmall() {
        AwsChunkedDecoder.Builder builder = AwsChunkedDecoder.builder();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.decodedLength(-1))
                .withMessageContaining("0 or more, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.minChunkSize(-1))
                .withMessageContaining("0 or more, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxChunkSize(0))
                .withMessageContaining("1 or more, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxHeaderLine(0))
                .withMessageContaining("1 or more, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxTrailers(-1))
                .withMessageContaining("0 or more, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxTrailerSize(-1))
                .withMessageContaining("0 or more, was -1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:b", "Content-Length", "x-amz-trailer-signature"})
    void refusesANameThatCanBeNoTrailer(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder().trailer(name));
    }

    @Test
    void showsANameThatCanBeNoTrailerMadeVisibleAndCutShort() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder().trailer("a\r\n" + "b".repeat(1000)))
                .withMessageContaining("\"a\\x0d\\x0ab")
                .withMessageEndingWith("(1003 characters)");
    }

    // a regular expression for the blanks took minutes
    @Test
    void blanksBetweenAnnouncedTrailersCostNoTime() {
        Map<String, String> headers = Map.of(
                "x-amz-content-sha256",
                Mode.UNSIGNED.headerValue(),
                "x-amz-trailer",
                "a" + " ".repeat(250_000) + "b , c");

        assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () -> assertThatIllegalArgumentException()
                        .isThrownBy(() -> AwsChunkedDecoder.builder().headers(headers)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"x-amz-checksum-xxhash32", "x-amz-checksum-", "x-amz-checksum-crc16", "X-Amz-Checksum-Type"})
    void refusesAChecksumThatItCannotCompute(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder().trailer(name))
                .withMessageContaining("cannot be computed")
                .withMessageContaining("CRC64NVME");
    }

    @Test
    void refusesTwoChecksums() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder().trailer(CRC32).trailer("x-amz-checksum-sha1"))
                .withMessageContaining("[x-amz-checksum-crc32, x-amz-checksum-sha1]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UNSIGNED-PAYLOAD",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD",
                "streaming-unsigned-payload-trailer",
                ""
            })
    void refusesHeadersOfAnotherMode(String mode) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder().headers(Map.of("x-amz-content-sha256", mode)))
                .withMessageContaining(mode)
                .withMessageContaining("STREAMING-UNSIGNED-PAYLOAD-TRAILER")
                .withMessageContaining("STREAMING-AWS4-HMAC-SHA256-PAYLOAD, ")
                .withMessageContaining("STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER");
    }

    @Test
    void refusesHeadersWithoutAMode() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder().headers(Map.of("Content-Encoding", "aws-chunked")))
                .withMessageContaining("no x-amz-content-sha256");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "-1", "+1", "1e3", "0x1", "\u0661", "9223372036854775808", "12345678901234567890", "1,1"})
    void refusesHeadersWithALengthThatIsNone(String length) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder()
                        .headers(Map.of(
                                "x-amz-content-sha256",
                                Mode.UNSIGNED.headerValue(),
                                "x-amz-decoded-content-length",
                                length)))
                .withMessageContaining("x-amz-decoded-content-length");
    }

    @Test
    void refusesHeadersWhoseNamesDifferInCaseAlone() {
        Map<String, String> headers = new HashMap<>();
        headers.put("x-amz-content-sha256", Mode.UNSIGNED.headerValue());
        headers.put("X-Amz-Content-Sha256", Mode.SIGNED.headerValue());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder().headers(headers));
    }

    @Test
    void refusesHeadersThatContradictWhatTheBuilderWasTold() {
        Map<String, String> headers = Map.of(
                "x-amz-content-sha256",
                Mode.UNSIGNED.headerValue(),
                "x-amz-decoded-content-length",
                "11",
                "x-amz-trailer",
                CRC32);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder()
                        .decodedLength(12)
                        .headers(headers)
                        .build())
                .withMessageContaining("12 and 11");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder()
                        .headers(headers)
                        .trailer("a")
                        .build())
                .withMessageContaining("[a] and [x-amz-checksum-crc32]");
        AwsChunkedDecoder.builder()
                .decodedLength(11)
                .trailer(CRC32)
                .headers(headers)
                .build();
    }

    @Test
    void refusesASeedThatContradictsTheBuilder() {
        SignedHeaders seed = Client.seed(Mode.SIGNED_WITH_TRAILER, 11, CRC32);

        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        AwsChunkedDecoder.builder().decodedLength(12).build().decode(seed))
                .withMessageContaining("12 and 11");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> AwsChunkedDecoder.builder().trailer("a").build().decode(seed))
                .withMessageContaining("[a] and [x-amz-checksum-crc32]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder()
                        .headers(Client.seed(Mode.SIGNED, 11).headers())
                        .build()
                        .decode(seed))
                .withMessageContaining("PAYLOAD and STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER");
    }

    @Test
    void refusesASeedOfAnUnsignedMode() {
        AwsChunkedDecoder decoder = AwsChunkedDecoder.builder().build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> decoder.decode(Client.seed(Mode.UNSIGNED, 11)))
                .withMessageContaining("STREAMING-UNSIGNED-PAYLOAD-TRAILER");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> decoder.decode(Client.sign(Map.of())))
                .withMessageContaining("UNSIGNED-PAYLOAD");
    }

    @Test
    void refusesToReadABodyAsUnsignedThatWasAnnouncedAsSigned() {
        AwsChunkedDecoder decoder = AwsChunkedDecoder.builder()
                .headers(Client.seed(Mode.SIGNED, 11).headers())
                .build();

        assertThatIllegalArgumentException()
                .isThrownBy(decoder::decode)
                .withMessageContaining("STREAMING-AWS4-HMAC-SHA256-PAYLOAD and STREAMING-UNSIGNED-PAYLOAD-TRAILER");
    }

    @Test
    void refusesTrailersInAModeThatHasNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> AwsChunkedDecoder.builder().trailer(CRC32).build().decode(Client.seed(Mode.SIGNED, 1)))
                .withMessageContaining("has no trailers")
                .withMessageContaining(CRC32);
    }
}
