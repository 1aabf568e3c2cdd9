package io.github.reslice.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.SigV4;
import io.github.reslice.sigv4.SignedHeaders;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.codec.multipart.DefaultPartHttpMessageReader;
import org.springframework.http.codec.multipart.MultipartHttpMessageReader;

/** What a controller gets of a good request. */
class S3WebFilterTest {

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

    @Test
    void decodesAnUnsignedBody() throws Exception {
        assertThat(SignedUpload.unsigned("PUT", object(), payload, Map.of())
                        .send()
                        .statusCode())
                .isEqualTo(200);

        assertThat(endpoint.stored("/bucket/key").bytes()).isEqualTo(payload);
    }

    @Test
    void decodesASignedBody() throws Exception {
        assertThat(SignedUpload.signed("PUT", object(), payload, Map.of())
                        .send()
                        .statusCode())
                .isEqualTo(200);

        assertThat(endpoint.stored("/bucket/key").bytes()).isEqualTo(payload);
    }

    @Test
    void decodesASignedBodyThatIsHandedOnAsItComes() throws Exception {
        try (UploadEndpoint passing =
                new UploadEndpoint(UploadEndpoint.filter().handOnUnverified().build())) {
            SignedUpload.signed("PUT", passing.uri("/bucket/key"), payload, Map.of())
                    .send();

            assertThat(passing.stored("/bucket/key").bytes()).isEqualTo(payload);
        }
    }

    @Test
    void decodesAnEmptyBody() throws Exception {
        SignedUpload.unsigned("PUT", object(), new byte[0], Map.of()).send();

        assertThat(endpoint.stored("/bucket/key").bytes()).isEmpty();
    }

    @Test
    void tellsTheControllerWhoItWas() throws Exception {
        SignedUpload.unsigned("PUT", object(), payload, Map.of()).send();

        assertThat(endpoint.stored("/bucket/key").accessKey()).isEqualTo("AKIAIOSFODNN7EXAMPLE");
    }

    @Test
    void putsLengthAndTrailerRight() throws Exception {
        SignedUpload.unsigned("PUT", object(), payload, Map.of("x-amz-meta-a", "1"))
                .send();

        HttpHeaders headers = endpoint.stored("/bucket/key").headers();
        assertThat(headers.getContentLength()).isEqualTo(100_000);
        assertThat(headers.containsHeader("Transfer-Encoding")).isFalse();
        assertThat(headers.containsHeader("x-amz-trailer")).isFalse();
        assertThat(headers.getFirst("x-amz-meta-a")).isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "aws-chunked | none",
                "AWS-Chunked | none",
                "aws-chunked,gzip | gzip",
                "aws-chunked, gzip , br | gzip,br",
                "gzip, aws-chunked | gzip",
                "gzip | gzip"
            })
    void takesAwsChunkedOutOfTheContentEncoding(String sent, String seen) throws Exception {
        SignedUpload.unsigned("PUT", object(), payload, Map.of("Content-Encoding", sent))
                .send();

        assertThat(endpoint.stored("/bucket/key").headers().getFirst("Content-Encoding"))
                .isEqualTo(seen);
    }

    @Test
    void takesAHeaderThatCameInTwoSpellingsOnce() throws Exception {
        SignedHeaders sent = SigV4.builder()
                .region(UploadEndpoint.REGION)
                .build()
                .sign(
                        "PUT",
                        object(),
                        Map.of("x-amz-content-sha256", "UNSIGNED-PAYLOAD", "x-amz-meta-a", "1,2"),
                        UploadEndpoint.CREDENTIALS);
        StringBuilder request =
                new StringBuilder("PUT /bucket/key HTTP/1.1\r\nContent-Length: 0\r\nConnection: close\r\n" + "Host: "
                        + object().getAuthority() + "\r\nx-amz-meta-a: 1\r\nX-Amz-Meta-A: 2\r\n");
        sent.headers().forEach((name, value) -> {
            if (!name.equals("x-amz-meta-a")) {
                request.append(name).append(": ").append(value).append("\r\n");
            }
        });

        try (Socket socket = new Socket(object().getHost(), object().getPort())) {
            socket.getOutputStream().write((request + "\r\n").getBytes(UTF_8));
            assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
                    .startsWith("HTTP/1.1 200 ");
        }
        assertThat(endpoint.stored("/bucket/key").headers().get("x-amz-meta-a")).containsExactly("1", "2");
    }

    @Test
    void decodesABodyThatDoesNotSayAwsChunked() throws Exception {
        SignedUpload.signed("PUT", object(), payload, Map.of("Content-Encoding", ""))
                .send();

        assertThat(endpoint.stored("/bucket/key").bytes()).isEqualTo(payload);
    }

    @Test
    void letsAnUnsignedPayloadPass() throws Exception {
        SignedUpload.plain(
                        "PUT",
                        object(),
                        payload,
                        Map.of("x-amz-content-sha256", "UNSIGNED-PAYLOAD", "Content-Encoding", "gzip"))
                .send();

        assertThat(endpoint.stored("/bucket/key").bytes()).isEqualTo(payload);
        assertThat(endpoint.stored("/bucket/key").headers().getFirst("Content-Encoding"))
                .isEqualTo("gzip");
    }

    @Test
    void takesABodyWithItsHash() throws Exception {
        SignedUpload.plain("PUT", object(), payload, Map.of("x-amz-content-sha256", sha256(payload)))
                .send();

        assertThat(endpoint.stored("/bucket/key").bytes()).isEqualTo(payload);
    }

    @ParameterizedTest
    @EnumSource(ChecksumAlgorithm.class)
    void takesABodyWithItsChecksumInAHeader(ChecksumAlgorithm algorithm) throws Exception {
        Map<String, String> headers = new HashMap<>();
        headers.put("x-amz-content-sha256", "UNSIGNED-PAYLOAD");
        headers.put(algorithm.headerName(), SignedUpload.checksum(algorithm, payload));
        headers.put("x-amz-sdk-checksum-algorithm", algorithm.name());
        headers.put("x-amz-checksum-type", "FULL_OBJECT");
        headers.put("Content-MD5", SignedUpload.checksum(ChecksumAlgorithm.MD5, payload));

        assertThat(SignedUpload.plain("PUT", object(), payload, headers).send().statusCode())
                .isEqualTo(200);
    }

    @Test
    void doesNotTakeTheChecksumOfAnObjectForThatOfTheRequestWhichCompletesIt() throws Exception {
        HttpResponse<String> answer = SignedUpload.plain(
                        "POST",
                        endpoint.uri("/json?uploadId=1"),
                        "{}".getBytes(UTF_8),
                        Map.of("x-amz-checksum-crc32", "AAAAAA==", "Content-Type", "application/json"))
                .send();

        assertThat(answer.body()).isEqualTo("{}");
    }

    @Test
    void readsAFormFromTheDecodedBody() throws Exception {
        HttpResponse<String> answer = SignedUpload.unsigned(
                        "POST",
                        endpoint.uri("/form"),
                        "a=1&b=%C3%A9".getBytes(UTF_8),
                        Map.of("Content-Type", "application/x-www-form-urlencoded"))
                .send();

        assertThat(answer.body()).isEqualTo("{a=1, b=\u00e9}");
    }

    @Test
    void readsMultipartDataFromTheDecodedBody() throws Exception {
        byte[] parts = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nvalue\r\n--x--\r\n".getBytes(UTF_8);

        HttpResponse<String> answer = SignedUpload.signed(
                        "POST",
                        endpoint.uri("/multipart"),
                        parts,
                        Map.of("Content-Type", "multipart/form-data; boundary=x"))
                .send();

        assertThat(answer.body()).isEqualTo("value");
    }

    @Test
    void deletesTheFilesOfAMultipartBody(@TempDir Path folder) throws Exception {
        DefaultPartHttpMessageReader reader = new DefaultPartHttpMessageReader();
        reader.setFileStorageDirectory(folder);
        reader.setMaxInMemorySize(1024);
        ServerCodecConfigurer codecs = ServerCodecConfigurer.create();
        codecs.defaultCodecs().multipartReader(new MultipartHttpMessageReader(reader));
        String parts = "--x\r\nContent-Disposition: form-data; name=\"a\"; filename=\"f\"\r\n\r\n" + "a".repeat(5000)
                + "\r\n--x--\r\n";

        try (UploadEndpoint filing =
                new UploadEndpoint(UploadEndpoint.filter().codecs(codecs).build())) {
            HttpResponse<String> answer = SignedUpload.signed(
                            "POST",
                            filing.uri("/files"),
                            parts.getBytes(UTF_8),
                            Map.of("Content-Type", "multipart/form-data; boundary=x"))
                    .send();

            assertThat(answer.body()).isEqualTo("[a]");
        }
        long deadline = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (folder.toFile().list().length > 0 && System.nanoTime() < deadline) {
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos()); // they go after the answer
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void releasesWhatAReaderLeavesUnread() throws Exception {
        assertThat(SignedUpload.unsigned("PUT", endpoint.uri("/first"), payload, Map.of())
                        .send()
                        .statusCode())
                .isEqualTo(200);
        endpoint.assertAllReleased();
    }

    @Test
    void readsJsonFromTheDecodedBody() throws Exception {
        HttpResponse<String> answer = SignedUpload.unsigned(
                        "POST",
                        endpoint.uri("/json"),
                        "{\"a\":\"1\"}".getBytes(UTF_8),
                        Map.of("Content-Type", "application/json"))
                .send();

        assertThat(answer.body()).isEqualTo("{a=1}");
    }

    @Test
    void servesRequestsWithoutBody() throws Exception {
        SignedUpload.unsigned("PUT", object(), "text".getBytes(UTF_8), Map.of()).send();

        HttpResponse<String> answer =
                SignedUpload.plain("GET", object(), new byte[0], Map.of()).send();

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("text");
    }

    @Test
    void verifiesKeysAsTheyWereOnTheWire() throws Exception {
        for (String path :
                new String[] {"/b/a%20b%2Bc%25d%28e%29%21", "/b//a/../c/./d", "/b/%C3%A9/%E4%B8%AD", "/b/a+b"}) {
            SignedUpload upload = SignedUpload.unsigned("PUT", endpoint.uri(path), payload, Map.of());

            assertThat(upload.send().statusCode()).as(path).isEqualTo(200);
            assertThat(upload.send(endpoint.uri(path + "x")).statusCode())
                    .as(path)
                    .isEqualTo(403);
        }
        assertThat(endpoint.stored("/b//a/../c/./d")).isNotNull();
    }

    @Test
    void leavesAnErrorOfTheApplicationsToTheApplication() throws Exception {
        HttpResponse<String> answer = SignedUpload.unsigned("PUT", endpoint.uri("/broken"), payload, Map.of())
                .send();

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).doesNotContain("<Error>");
    }

    @Test
    void needsALookupOfSecrets() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> S3WebFilter.builder().build())
                .withMessageContaining("secrets");
    }

    @Test
    void refusesWrongBoundsWhenItIsBuilt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UploadEndpoint.filter()
                        .decoder(decoder -> decoder.maxChunkSize(0))
                        .build())
                .withMessageContaining("0");
    }

    @Test
    void standsBeforeSpringSecurityAndFiltersWithoutAnOrder() {
        assertThat(UploadEndpoint.filter().build().getOrder()).isLessThan(-100);
    }

    @Test
    void showsNoSecret() {
        assertThat(UploadEndpoint.filter().build()).hasToString("S3WebFilter[SigV4Verifier[eu-central-1/s3]]");
    }

    private static String sha256(byte[] bytes) {
        return HexFormat.of()
                .formatHex(Base64.getDecoder().decode(SignedUpload.checksum(ChecksumAlgorithm.SHA256, bytes)));
    }
}
