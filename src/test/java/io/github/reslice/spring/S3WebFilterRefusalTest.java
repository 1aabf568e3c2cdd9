package io.github.reslice.spring;

import static io.github.reslice.spring.UploadEndpoint.assertRefused;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.sigv4.AwsCredentials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** Requests that are refused before any controller is called. Every test's end looks for buffers that were not released. */
class S3WebFilterRefusalTest {

    private static final Map<String, String> UNSIGNED_PAYLOAD = Map.of("x-amz-content-sha256", "UNSIGNED-PAYLOAD");

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

    /** Refused before any controller was called. */
    private void isRefused(SignedUpload upload, int status, String code) throws Exception {
        assertRefused(upload.send(), status, code);
        assertThat(endpoint.requests()).isZero();
    }

    @Test
    void refusesARequestThatIsNotSigned() throws Exception {
        isRefused(unsigned().without("Authorization"), 403, "AccessDenied");
    }

    @Test
    void refusesAnUnknownAccessKey() throws Exception {
        AwsCredentials unknown = AwsCredentials.of("AKIAUNKNOWN", UploadEndpoint.SECRET_KEY);

        isRefused(SignedUpload.unsigned("PUT", object(), payload, Map.of(), unknown), 403, "InvalidAccessKeyId");
    }

    @Test
    void refusesAKnownAccessKeyWithAWrongSecret() throws Exception {
        AwsCredentials wrong = AwsCredentials.of("AKIAIOSFODNN7EXAMPLE", "wrong");

        isRefused(SignedUpload.unsigned("PUT", object(), payload, Map.of(), wrong), 403, "SignatureDoesNotMatch");
    }

    @Test
    void refusesAnUnsignedTrailerModeWithABadRequestSignature() throws Exception {
        isRefused(unsigned().with("x-amz-decoded-content-length", "99999"), 403, "SignatureDoesNotMatch");
    }

    @Test
    void refusesAModeThatWasChanged() throws Exception {
        isRefused(
                signed().with("x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"),
                403,
                "SignatureDoesNotMatch");
        isRefused(signed().with("x-amz-content-sha256", "UNSIGNED-PAYLOAD"), 403, "SignatureDoesNotMatch");
    }

    @Test
    void refusesAnAmzHeaderThatWasAdded() throws Exception {
        isRefused(unsigned().with("x-amz-acl", "public-read"), 403, "AccessDenied");
    }

    @Test
    void refusesAnotherPath() throws Exception {
        assertRefused(unsigned().send(endpoint.uri("/bucket/other")), 403, "SignatureDoesNotMatch");
    }

    @Test
    void refusesAnotherRegion() throws Exception {
        try (UploadEndpoint elsewhere =
                new UploadEndpoint(UploadEndpoint.filter().region("us-east-1").build())) {
            assertRefused(
                    SignedUpload.unsigned("PUT", elsewhere.uri("/b/k"), payload, Map.of())
                            .send(),
                    400,
                    "AuthorizationHeaderMalformed");
        }
    }

    @Test
    void refusesARequestOfYesterday() throws Exception {
        Clock tomorrow = Clock.offset(Clock.systemUTC(), Duration.ofDays(1));
        try (UploadEndpoint late =
                new UploadEndpoint(UploadEndpoint.filter().clock(tomorrow).build())) {
            assertRefused(
                    SignedUpload.unsigned("PUT", late.uri("/b/k"), payload, Map.of())
                            .send(),
                    403,
                    "RequestTimeTooSkewed");
        }
    }

    @Test
    void refusesCredentialsInTheQueryWithAnUnsignedStreamingBody() throws Exception {
        HttpResponse<String> answer =
                unsigned().without("Authorization").without("x-amz-date").send(presignedPut());

        assertRefused(answer, 403, "AccessDenied"); // the other x-amz-* headers are not signed
        assertThat(endpoint.requests()).isZero();
    }

    @Test
    void refusesAStreamingModeInAPresignedUrl() throws Exception {
        URI presigned = URI.create(presignedPut() + "&X-Amz-Content-Sha256=STREAMING-UNSIGNED-PAYLOAD-TRAILER");
        HttpResponse<String> answer = SignedUpload.plain("PUT", object(), payload, UNSIGNED_PAYLOAD)
                .without("Authorization")
                .without("x-amz-date")
                .without("x-amz-content-sha256")
                .send(presigned);

        assertRefused(answer, 400, "InvalidRequest");
        assertThat(endpoint.requests()).isZero();
    }

    @Test
    void refusesASignatureInTheHeaderAndInTheQuery() throws Exception {
        assertRefused(unsigned().send(presignedPut()), 400, "InvalidArgument");
    }

    @Test
    void takesAPresignedUrlWithAPlainBody() throws Exception {
        HttpResponse<String> answer = SignedUpload.plain("PUT", object(), payload, UNSIGNED_PAYLOAD)
                .without("Authorization")
                .without("x-amz-date")
                .without("x-amz-content-sha256")
                .send(presignedPut());

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(endpoint.stored("/bucket/key").bytes()).isEqualTo(payload);
    }

    @Test
    void refusesAwsChunkedWithoutAStreamingMode() throws Exception {
        isRefused(
                SignedUpload.plain(
                        "PUT",
                        object(),
                        payload,
                        Map.of("x-amz-content-sha256", "UNSIGNED-PAYLOAD", "Content-Encoding", "gzip, aws-chunked")),
                400,
                "InvalidArgument");
    }

    @Test
    void refusesATrailerOfABodyThatHasNone() throws Exception {
        isRefused(
                SignedUpload.plain(
                        "PUT",
                        object(),
                        payload,
                        Map.of("x-amz-content-sha256", "UNSIGNED-PAYLOAD", "x-amz-trailer", "x-amz-checksum-crc32")),
                400,
                "InvalidRequest");
    }

    @Test
    void refusesAStreamingModeWithoutTheDecodedLength() throws Exception {
        isRefused(
                SignedUpload.unsigned("PUT", object(), payload, Map.of("x-amz-decoded-content-length", "")),
                411,
                "MissingContentLength");
    }

    @ParameterizedTest
    @ValueSource(strings = {"+5", "-1", "0x10", "99999999999999999999", "1,1"})
    void refusesADecodedLengthThatIsNone(String length) throws Exception {
        SignedUpload upload =
                SignedUpload.unsigned("PUT", object(), payload, Map.of("x-amz-decoded-content-length", length));

        assertThat(upload.send().statusCode()).isBetween(400, 403);
        assertThat(endpoint.requests()).isZero();
    }

    @Test
    void refusesTwoChecksums() throws Exception {
        isRefused(
                SignedUpload.unsigned(
                        "PUT", object(), payload, Map.of("x-amz-checksum-crc32", SignedUpload.crc32(payload))),
                400,
                "InvalidRequest");
        isRefused(
                SignedUpload.plain(
                        "PUT", object(), payload, Map.of("x-amz-checksum-crc32", "a", "x-amz-checksum-crc32c", "b")),
                400,
                "InvalidRequest");
    }

    @Test
    void refusesAChecksumThatCannotBeComputed() throws Exception {
        isRefused(
                SignedUpload.plain("PUT", object(), payload, Map.of("x-amz-checksum-crc64", "AAAAAAAAAAA=")),
                501,
                "NotImplemented");
    }

    @Test
    void refusesAChecksumThatIsNone() throws Exception {
        isRefused(
                SignedUpload.plain("PUT", object(), payload, Map.of("x-amz-checksum-crc32", "no")),
                400,
                "InvalidRequest");
    }

    @Test
    void answersAFailedLookupByNothingOfIt() throws Exception {
        for (RuntimeException failure : new RuntimeException[] {new IllegalStateException("db password"), null}) {
            try (UploadEndpoint failing = new UploadEndpoint(UploadEndpoint.filter()
                    .secrets(accessKey -> failure == null ? null : Mono.error(failure))
                    .build())) {
                HttpResponse<String> answer = SignedUpload.unsigned("PUT", failing.uri("/b/k"), payload, Map.of())
                        .send();

                assertRefused(answer, 500, "InternalError");
                assertThat(answer.body()).doesNotContain("password");
                assertThat(failing.requests()).isZero();
            }
        }
    }

    @Test
    void doesNotTakeTheCredentialsOfAnother() throws Exception {
        try (UploadEndpoint mistaken = new UploadEndpoint(UploadEndpoint.filter()
                .secrets(accessKey -> Mono.just(AwsCredentials.of("OTHER", UploadEndpoint.SECRET_KEY)))
                .build())) {
            assertRefused(
                    SignedUpload.unsigned("PUT", mistaken.uri("/b/k"), payload, Map.of())
                            .send(),
                    500,
                    "InternalError");
        }
    }

    @Test
    void escapesWhatItWrites() throws Exception {
        String body = raw("PUT /b/%3Ck%3E&'%22 HTTP/1.1\r\nHost: h\r\nx-amz-content-sha256: UNSIGNED-PAYLOAD\r\n"
                + "x-amz-date: 20130524T000000Z\r\nContent-Length: 0\r\nConnection: close\r\n"
                + "Authorization: AWS4-HMAC-SHA256 Credential=A/20130524/eu-central-1/s3/aws4_request,"
                + "SignedHeaders=a&b;host;x-amz-content-sha256;x-amz-date,Signature=" + "0".repeat(64) + "\r\n\r\n");

        assertThat(body).contains("<Resource>/b/%3Ck%3E&amp;'%22</Resource>");
    }

    @Test
    void doesNotAskForTheBodyOfARequestThatItRefuses() throws Exception {
        String answer =
                raw("PUT /b/k HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1000000000\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 403 ").contains("<Code>AccessDenied</Code>");
    }

    @Test
    void answersAHeadRequestWithoutABody() throws Exception {
        String answer = raw("HEAD /b/k HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 403 ").endsWith("\r\n\r\n");
    }

    @Test
    void keepsAConnectionWhoseLargeBodyWasRefused() throws Exception {
        byte[] large = new byte[4_000_000];
        for (int i = 0; i < 3; i++) {
            assertRefused(
                    SignedUpload.plain("PUT", object(), large, UNSIGNED_PAYLOAD)
                            .without("Authorization")
                            .send(),
                    403,
                    "AccessDenied");
        }
        assertThat(endpoint.requests()).isZero();
    }

    @Test
    void tellsResliceCallersWhy() {
        WebClient s3 = WebClient.builder()
                .baseUrl(endpoint.uri("").toString())
                .filter(S3ExchangeFilter.builder()
                        .credentials(AwsCredentials.of("AKIAIOSFODNN7EXAMPLE", "wrong"))
                        .region(UploadEndpoint.REGION)
                        .build())
                .build();

        assertThatThrownBy(() -> s3.put()
                        .uri("/b/k")
                        .bodyValue("text")
                        .retrieve()
                        .toBodilessEntity()
                        .block())
                .isInstanceOfSatisfying(WebClientResponseException.class, e -> {
                    S3Error error = S3Error.from(e);
                    assertThat(error.code()).isEqualTo("SignatureDoesNotMatch");
                    assertThat(error.resource()).isEqualTo("/b/k");
                    assertThat(error.requestId()).isNotBlank();
                    assertThat(error.message()).contains("secret key");
                });
    }

    private URI presignedPut() {
        try (S3Presigner presigner = S3Presigner.builder()
                .endpointOverride(endpoint.uri(""))
                .region(Region.of(UploadEndpoint.REGION))
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create("AKIAIOSFODNN7EXAMPLE", UploadEndpoint.SECRET_KEY)))
                .serviceConfiguration(
                        S3Configuration.builder().pathStyleAccessEnabled(true).build())
                .build()) {
            return URI.create(presigner
                    .presignPutObject(put -> put.signatureDuration(Duration.ofMinutes(5))
                            .putObjectRequest(object -> object.bucket("bucket").key("key")))
                    .url()
                    .toString());
        }
    }

    private String raw(String request) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), endpoint.uri("").getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            StringBuilder answer = new StringBuilder();
            int c;
            while (answer.indexOf("</Error>") < 0
                    && (c = socket.getInputStream().read()) >= 0) {
                answer.append((char) c);
            }
            return answer.toString();
        }
    }
}
