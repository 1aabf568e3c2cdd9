package io.github.reslice.awssdk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.awschunked.DecodedLengthException;
import io.github.reslice.awschunked.Sliced;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.checksums.DefaultChecksumAlgorithm;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.AuthLocation;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignRequest;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignedRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** What the scheme's signer does with one request, where the SDK's cannot be its measure. */
class ResliceAuthSchemeTest {

    private static final AwsCredentialsIdentity IDENTITY = AwsCredentialsIdentity.create("access", "secret");
    private static final AwsCredentialsIdentity ANONYMOUS = new AwsCredentialsIdentity() {
        @Override
        public String accessKeyId() {
            return null;
        }

        @Override
        public String secretAccessKey() {
            return null;
        }
    };

    private final AwsV4HttpSigner signer = ResliceAuthScheme.create().signer();

    @Test
    void standsInForTheSdksSchemeOfTheSameId() {
        assertThat(ResliceAuthScheme.create().schemeId()).isEqualTo("aws.auth#sigv4");
    }

    @Test
    void cutsChunksOfTheGivenSize() {
        AwsV4HttpSigner small =
                ResliceAuthScheme.builder().chunkSize(8192).build().signer();

        AsyncSignedRequest signed = signAsync(small, upload("http", new byte[10_000]));

        assertThat(body(signed)).startsWith("2000\r\n").contains("\r\n710\r\n");
        assertThat(header(signed.request(), "Content-Length"))
                .isEqualTo(Integer.toString(body(signed).length()));
    }

    @Test
    void refusesAChunkBelowS3sMinimumWhenItIsBuilt() {
        assertThatThrownBy(() -> ResliceAuthScheme.builder().chunkSize(8191))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("8192")
                .hasMessageContaining("8191");
    }

    @Test
    void computesCrc64NvmeWithoutTheNativeLibrary() {
        AsyncSignedRequest signed = signAsync(
                signer,
                upload("http", "123456789".getBytes(ISO_8859_1))
                        .putProperty(AwsV4HttpSigner.CHECKSUM_ALGORITHM, DefaultChecksumAlgorithm.CRC64NVME));

        assertThat(body(signed)).isEqualTo("9\r\n123456789\r\n0\r\nx-amz-checksum-crc64nvme:rosUhgp5mIg=\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({"XXHASH64, RatnNLIeaWg=", "XXHASH3, 1Eex6kDmmIs=", "XXHASH128, 340J6T+HSQCpm4d1zBW2xw=="})
    void computesXxHashWithoutTheNativeLibrary(String algorithm, String value) {
        AsyncSignedRequest signed = signAsync(
                signer,
                upload("http", "hello world".getBytes(ISO_8859_1))
                        .putProperty(
                                AwsV4HttpSigner.CHECKSUM_ALGORITHM, DefaultChecksumAlgorithm.fromValue(algorithm)));

        assertThat(body(signed))
                .isEqualTo("b\r\nhello world\r\n0\r\nx-amz-checksum-" + algorithm.toLowerCase(Locale.ROOT) + ":" + value
                        + "\r\n\r\n");
    }

    @Test
    void leavesAnAlgorithmThatItDoesNotKnowToTheSdk() {
        AsyncSignRequest<AwsCredentialsIdentity> request = upload("http", new byte[9])
                .putProperty(AwsV4HttpSigner.CHECKSUM_ALGORITHM, () -> "SUM8")
                .build();

        assertThatThrownBy(() -> signer.signAsync(request).join())
                .rootCause()
                .isInstanceOf(UnsupportedOperationException.class)
                .hasStackTraceContaining("software.amazon.awssdk.checksums.SdkChecksum");
    }

    @Test
    void leavesAnAnonymousUploadToTheSdk() {
        AsyncSignRequest<AwsCredentialsIdentity> request = upload("http", new byte[9]).build().toBuilder()
                .identity(ANONYMOUS)
                .build();

        AsyncSignedRequest signed = signer.signAsync(request).join();

        assertThat(signed.request().firstMatchingHeader("Authorization")).isEmpty();
    }

    @Test
    void leavesARequestWithoutABodyToTheSdk() {
        SignedRequest signed = signer.sign(SignRequest.builder(IDENTITY)
                .request(http("http"))
                .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                .putProperty(AwsV4HttpSigner.CHUNK_ENCODING_ENABLED, true)
                .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false)
                .build());

        assertThat(header(signed.request(), "x-amz-content-sha256")).isEqualTo("UNSIGNED-PAYLOAD");
    }

    /** The SDK's signer announces a trailer for it, and sends none. */
    @Test
    void announcesNoTrailerForAChecksumGivenBeforehandWhereThePayloadIsSigned() {
        AsyncSignedRequest signed = signAsync(
                signer,
                upload("https", new byte[9])
                        .request(http("https").toBuilder()
                                .putHeader("Content-Length", "9")
                                .putHeader("x-amz-checksum-crc32", "5gv3qQ==")
                                .build())
                        .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, true));

        assertThat(header(signed.request(), "x-amz-content-sha256")).isEqualTo("STREAMING-AWS4-HMAC-SHA256-PAYLOAD");
        assertThat(signed.request().firstMatchingHeader("x-amz-trailer")).isEmpty();
        assertThat(body(signed)).matches("(?s)9;chunk-signature=.{64}\r\n.{9}\r\n0;chunk-signature=.{64}\r\n\r\n");
    }

    @Test
    void refusesABodyOfUnknownLengthAndSaysWhatToDo() {
        AsyncSignRequest<AwsCredentialsIdentity> request =
                upload("http", new byte[9]).request(http("http")).build();

        assertThatThrownBy(() -> signer.signAsync(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("contentLength(n)")
                .hasMessageContaining("multipartEnabled(true)");
    }

    /** As an interceptor may make it; S3 computes the signature over the other form. */
    @Test
    void sendsThePathThatItSigned() {
        AsyncSignedRequest signed = signAsync(
                signer,
                upload("http", new byte[9])
                        .request(http("http").toBuilder()
                                .encodedPath("/bucket/a+b")
                                .putHeader("Content-Length", "9")
                                .build()));

        assertThat(signed.request().encodedPath()).isEqualTo("/bucket/a%2Bb");
    }

    /** As an interceptor may make it; what is behind the question mark would be lost. */
    @ParameterizedTest
    @ValueSource(strings = {"/bucket/a?versionId=1", "/bucket/a#b"})
    void refusesAPathThatIsNotEncoded(String path) {
        AsyncSignRequest<AwsCredentialsIdentity> request = upload("http", new byte[9])
                .request(http("http").toBuilder()
                        .encodedPath(path)
                        .putHeader("Content-Length", "9")
                        .build())
                .build();

        assertThatThrownBy(() -> signer.signAsync(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("behind /bucket/a: write it %3F or %23");
    }

    @Test
    void failsABodyThatIsLongerThanItsLength() {
        AsyncSignedRequest signed = signAsync(
                signer,
                upload("http", new byte[9])
                        .request(http("http").toBuilder()
                                .putHeader("Content-Length", "5")
                                .build()));

        assertThatThrownBy(() -> body(signed)).isInstanceOfSatisfying(DecodedLengthException.class, e -> {
            assertThat(e.declared()).isEqualTo(5);
            assertThat(e.received()).isEqualTo(9);
        });
    }

    @Test
    void refusesTheUploadOfABlockingClient() {
        SignRequest<AwsCredentialsIdentity> request = SignRequest.builder(IDENTITY)
                .request(http("https"))
                .payload(ContentStreamProvider.fromUtf8String("payload"))
                .putProperty(AwsV4HttpSigner.CHUNK_ENCODING_ENABLED, true)
                .build();

        assertThatThrownBy(() -> signer.sign(request))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("S3AsyncClient")
                .hasMessageContaining("Build that client without the scheme");
    }

    @Test
    void refusesToPresignAnUpload() {
        SignRequest<AwsCredentialsIdentity> request = SignRequest.builder(IDENTITY)
                .request(http("https"))
                .putProperty(AwsV4HttpSigner.AUTH_LOCATION, AuthLocation.QUERY_STRING)
                .putProperty(AwsV4HttpSigner.EXPIRATION_DURATION, Duration.ofMinutes(1))
                .putProperty(AwsV4HttpSigner.CHUNK_ENCODING_ENABLED, true)
                .build();

        assertThatThrownBy(() -> signer.sign(request))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("presign");
    }

    @Test
    void refusesToPresignAnUploadInAnAsynchronousCall() {
        AsyncSignRequest<AwsCredentialsIdentity> request = upload("https", new byte[9])
                .putProperty(AwsV4HttpSigner.AUTH_LOCATION, AuthLocation.QUERY_STRING)
                .build();

        assertThatThrownBy(() -> signer.signAsync(request)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void leavesToTheSdkToPresignWhatIsNoUpload() {
        AsyncSignedRequest signed = signAsync(
                signer,
                upload("https", new byte[9])
                        .putProperty(AwsV4HttpSigner.AUTH_LOCATION, AuthLocation.QUERY_STRING)
                        .putProperty(AwsV4HttpSigner.CHUNK_ENCODING_ENABLED, false));

        assertThat(signed.request().rawQueryParameters()).containsKey("X-Amz-Signature");
    }

    @Test
    void encodesABodyAgainForEachSubscription() {
        ByteBuffer shared = ByteBuffer.wrap("123456789".getBytes(ISO_8859_1));
        AsyncSignedRequest signed =
                signAsync(signer, upload("http", new byte[9]).payload(Flux.just(shared)));

        assertThat(List.of(body(signed), body(signed)))
                .allMatch(body -> body.equals("9\r\n123456789\r\n0\r\nx-amz-checksum-crc32:y/Q5Jg==\r\n\r\n"));
    }

    private static AsyncSignRequest.Builder<AwsCredentialsIdentity> upload(String protocol, byte[] payload) {
        return AsyncSignRequest.builder(IDENTITY)
                .request(http(protocol).toBuilder()
                        .putHeader("Content-Length", Integer.toString(payload.length))
                        .build())
                .payload(Flux.just(ByteBuffer.wrap(payload)))
                .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                .putProperty(AwsV4HttpSigner.CHUNK_ENCODING_ENABLED, true)
                .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false)
                .putProperty(AwsV4HttpSigner.CHECKSUM_ALGORITHM, DefaultChecksumAlgorithm.CRC32);
    }

    private static SdkHttpRequest http(String protocol) {
        return SdkHttpRequest.builder()
                .method(SdkHttpMethod.PUT)
                .uri(URI.create(protocol + "://127.0.0.1:9000/bucket/key"))
                .build();
    }

    private static AsyncSignedRequest signAsync(
            AwsV4HttpSigner signer, AsyncSignRequest.Builder<AwsCredentialsIdentity> request) {
        return signer.signAsync(request.build()).join();
    }

    private static String header(SdkHttpRequest request, String name) {
        return request.firstMatchingHeader(name).orElseThrow();
    }

    private static String body(AsyncSignedRequest signed) {
        return new String(Sliced.join(Flux.from(signed.payload().orElseThrow()).toIterable()), ISO_8859_1);
    }
}
