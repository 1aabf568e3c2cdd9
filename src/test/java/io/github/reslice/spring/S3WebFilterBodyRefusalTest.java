package io.github.reslice.spring;

import static io.github.reslice.spring.UploadEndpoint.assertRefused;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies that are refused, and what a controller saw of them. Every test's end looks for buffers that were not released. */
class S3WebFilterBodyRefusalTest {

    private final byte[] payload = new byte[100_000];
    private UploadEndpoint endpoint;

    @BeforeEach
    void start() {
        new Random(1).nextBytes(payload);
        endpoint = new UploadEndpoint(UploadEndpoint.filter().build());
    }

    @AfterEach
    void stop() {
        endpoint.close();
    }

    private URI object() {
        return endpoint.uri("/bucket/key");
    }

    private SignedUpload unsigned() {
        return SignedUpload.unsigned("PUT", object(), payload, Map.of());
    }

    private SignedUpload signed() {
        return SignedUpload.signed("PUT", object(), payload, Map.of());
    }

    /** Refused while a controller read, with at most so many bytes seen by then. */
    private void isRefusedInItsBody(SignedUpload upload, int status, String code, long mostSeen) throws Exception {
        assertRefused(upload.send(), status, code);
        assertThat(endpoint.stored("/bucket/key")).isNull();
        assertThat(endpoint.requests()).isOne();
        assertThat(endpoint.bytesSeen()).isLessThanOrEqualTo(mostSeen);
    }

    @Test
    void refusesABodyThatIsNotTheSignedOne() throws Exception {
        String hash = "0".repeat(64);

        isRefusedInItsBody(
                SignedUpload.plain("PUT", object(), payload, Map.of("x-amz-content-sha256", hash)),
                400,
                "XAmzContentSHA256Mismatch",
                payload.length - 1);
    }

    @Test
    void refusesABodyThatIsNotThatOfTheChecksumInAHeader() throws Exception {
        isRefusedInItsBody(
                SignedUpload.plain("PUT", object(), payload, Map.of("x-amz-checksum-crc32", "AAAAAA==")),
                400,
                "BadDigest",
                payload.length - 1);
    }

    @Test
    void refusesABodyThatIsNotThatOfTheContentMd5() throws Exception {
        isRefusedInItsBody(
                SignedUpload.plain("PUT", object(), payload, Map.of("Content-MD5", "AAAAAAAAAAAAAAAAAAAAAA==")),
                400,
                "BadDigest",
                payload.length - 1);
    }

    @Test
    void refusesAnUnsignedBodyWithAFlippedByteBeforeItIsWhole() throws Exception {
        SignedUpload upload = unsigned();

        isRefusedInItsBody(upload.withBody(flipped(upload.body(), 100)), 400, "BadDigest", payload.length - 1);
    }

    /** Chunks of 8 KiB: the one with the flipped byte is never seen, those before it are. */
    @ParameterizedTest
    @CsvSource({"100, 0", "8191, 0", "9000, 8192", "60000, 57344", "99000, 98304"})
    void refusesAChunkWithAFlippedByteBeforeAnyOfItIsSeen(int place, long seenBefore) throws Exception {
        SignedUpload upload = signed();
        int chunksBefore = place / SignedUpload.CHUNK;
        int header = "2000;chunk-signature=".length() + 64 + 2;
        int onTheWire = place + (chunksBefore + 1) * header + chunksBefore * 2;

        isRefusedInItsBody(
                upload.withBody(flipped(upload.body(), onTheWire)), 403, "SignatureDoesNotMatch", seenBefore);
        assertThat(endpoint.bytesSeen()).isEqualTo(seenBefore);
    }

    @Test
    void refusesAFlippedByteInAChunksSignature() throws Exception {
        SignedUpload upload = signed();

        isRefusedInItsBody(
                upload.withBody(replaced(upload.body(), "chunk-signature=", 3)), 403, "SignatureDoesNotMatch", 0);
    }

    @Test
    void refusesAFlippedByteInTheTrailersChecksum() throws Exception {
        SignedUpload signed = signed();
        isRefusedInItsBody(
                signed.withBody(replaced(signed.body(), "x-amz-checksum-crc32:", 0)),
                403,
                "SignatureDoesNotMatch",
                payload.length - 1);
    }

    @Test
    void refusesAFlippedByteInAnUnsignedTrailersChecksum() throws Exception {
        SignedUpload upload = unsigned();

        isRefusedInItsBody(
                upload.withBody(replaced(upload.body(), "x-amz-checksum-crc32:", 0)),
                400,
                "BadDigest",
                payload.length - 1);
    }

    @Test
    void refusesAFlippedByteInTheTrailersSignature() throws Exception {
        SignedUpload upload = signed();

        isRefusedInItsBody(
                upload.withBody(replaced(upload.body(), "x-amz-trailer-signature:", 5)),
                403,
                "SignatureDoesNotMatch",
                payload.length - 1);
    }

    @Test
    void refusesABodyThatIsCutShort() throws Exception {
        SignedUpload upload = unsigned();
        byte[] body = upload.body();

        isRefusedInItsBody(
                upload.withBody(Arrays.copyOf(body, body.length - 2)), 400, "IncompleteBody", payload.length - 1);
    }

    @Test
    void refusesAChunkBeyondTheBound() throws Exception {
        try (UploadEndpoint bounded = new UploadEndpoint(UploadEndpoint.filter()
                .decoder(decoder -> decoder.maxChunkSize(8191))
                .build())) {
            assertRefused(
                    SignedUpload.unsigned("PUT", bounded.uri("/b/k"), payload, Map.of())
                            .send(),
                    403,
                    "InvalidChunkSizeError");
            assertThat(bounded.bytesSeen()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/json | application/json | {'a':'1'}",
                "/form | application/x-www-form-urlencoded | a=1",
                "/multipart | multipart/form-data; boundary=x | --x~Content-Disposition: form-data; name='a'~~value~--x--~"
            })
    void refusesABodyThatSpringReads(String path, String contentType, String text) throws Exception {
        byte[] content = text.replace('\'', '"').replace("~", "\r\n").getBytes(UTF_8);
        SignedUpload upload =
                SignedUpload.unsigned("POST", endpoint.uri(path), content, Map.of("Content-Type", contentType));

        assertRefused(
                upload.withBody(replaced(upload.body(), "x-amz-checksum-crc32:", 0))
                        .send(),
                400,
                "BadDigest");
    }

    @Test
    void breaksAnAnswerOffThatHasBegunBeforeTheBodyWasRefused() throws Exception {
        SignedUpload upload = SignedUpload.unsigned("PUT", endpoint.uri("/echo"), payload, Map.of());

        assertThatThrownBy(() -> upload.withBody(replaced(upload.body(), "x-amz-checksum-crc32:", 0))
                        .send())
                .isInstanceOf(IOException.class);
    }

    @Test
    void letsAControllerAnswerThatPutsUpWithARefusal() throws Exception {
        SignedUpload upload = SignedUpload.unsigned("PUT", endpoint.uri("/swallow"), payload, Map.of());

        assertThat(upload.withBody(flipped(upload.body(), 100)).send().statusCode())
                .isEqualTo(202);
    }

    @Test
    void releasesABodyThatNobodyReads() throws Exception {
        assertThat(SignedUpload.signed("PUT", endpoint.uri("/unread"), payload, Map.of())
                        .send()
                        .statusCode())
                .isEqualTo(200);
    }

    private static byte[] flipped(byte[] body, int place) {
        byte[] changed = body.clone();
        changed[place] ^= 1;
        return changed;
    }

    /** Another digit or letter for the one this far behind the text. */
    private static byte[] replaced(byte[] body, String text, int behind) {
        int place = new String(body, ISO_8859_1).indexOf(text) + text.length() + behind;
        byte[] changed = body.clone();
        changed[place] = (byte) (changed[place] == 'a' ? 'b' : 'a');
        return changed;
    }
}
