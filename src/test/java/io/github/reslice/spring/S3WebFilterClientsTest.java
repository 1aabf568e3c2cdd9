package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.AwsChunked;
import io.github.reslice.servers.Fault;
import io.github.reslice.servers.TamperingProxy;
import io.github.reslice.sigv4.AwsCredentials;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3BaseClientBuilder;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The AWS SDK's clients and Reslice's own filter upload to the endpoint. */
class S3WebFilterClientsTest {

    private final byte[] payload = new byte[1_000_000];
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

    /** Those that the SDK computes without its native library. */
    static Stream<ChecksumAlgorithm> algorithms() {
        return Stream.of(
                ChecksumAlgorithm.CRC32, ChecksumAlgorithm.CRC32_C, ChecksumAlgorithm.SHA1, ChecksumAlgorithm.SHA256);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void takesWhatTheBlockingClientSends(ChecksumAlgorithm algorithm) {
        try (S3Client s3 = settings(S3Client.builder(), endpoint.uri("")).build()) {
            s3.putObject(
                    put -> put.bucket("bucket").key("key").checksumAlgorithm(algorithm),
                    RequestBody.fromBytes(payload));
        }

        arrived();
        assertThat(mode()).isEqualTo("STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER");
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void takesWhatTheAsyncClientSends(ChecksumAlgorithm algorithm) {
        try (S3AsyncClient s3 =
                settings(S3AsyncClient.builder(), endpoint.uri("")).build()) {
            s3.putObject(
                            put -> put.bucket("bucket").key("key").checksumAlgorithm(algorithm),
                            AsyncRequestBody.fromBytes(payload))
                    .join();
        }

        arrived();
        assertThat(mode()).isEqualTo("STREAMING-UNSIGNED-PAYLOAD-TRAILER");
    }

    @Test
    void takesAPartAndABodyWithoutChecksumAndAnEmptyOne() {
        try (S3Client s3 = settings(S3Client.builder(), endpoint.uri("")).build()) {
            s3.uploadPart(
                    part -> part.bucket("bucket").key("key").partNumber(1).uploadId("id"),
                    RequestBody.fromBytes(payload));
            arrived();
            s3.putObject(put -> put.bucket("bucket").key("empty"), RequestBody.empty());
            assertThat(endpoint.stored("/bucket/empty").bytes()).isEmpty();
        }
    }

    @Test
    void servesTheSdkWhatItStored() {
        try (S3Client s3 = settings(S3Client.builder(), endpoint.uri("")).build()) {
            for (String key :
                    new String[] {"a b+c%(d)!'*,:;=&@$#?[]~", "caf\u00e9/e\u0301/\u4e2d", "a//b/../c/./", "%2F"}) {
                s3.putObject(put -> put.bucket("bucket").key(key), RequestBody.fromString(key));

                assertThat(s3.getObjectAsBytes(get -> get.bucket("bucket").key(key))
                                .asUtf8String())
                        .isEqualTo(key);
            }
        }
    }

    @Test
    void takesTemporaryCredentials() {
        AwsCredentials temporary = AwsCredentials.of("AKIATEMPORARY", "secret", "the/token+=");
        try (UploadEndpoint sts = new UploadEndpoint(UploadEndpoint.filter()
                        .secrets(accessKey -> Mono.just(temporary))
                        .build());
                S3Client s3 = settings(S3Client.builder(), sts.uri(""))
                        .credentialsProvider(StaticCredentialsProvider.create(
                                AwsSessionCredentials.create("AKIATEMPORARY", "secret", "the/token+=")))
                        .build();
                S3Client other = settings(S3Client.builder(), sts.uri(""))
                        .credentialsProvider(StaticCredentialsProvider.create(
                                AwsSessionCredentials.create("AKIATEMPORARY", "secret", "another")))
                        .build()) {
            s3.putObject(put -> put.bucket("bucket").key("key"), RequestBody.fromBytes(payload));
            assertThat(sts.stored("/bucket/key").bytes()).isEqualTo(payload);

            assertThatThrownBy(() ->
                            other.putObject(put -> put.bucket("bucket").key("key"), RequestBody.fromBytes(payload)))
                    .isInstanceOfSatisfying(
                            S3Exception.class,
                            e -> assertThat(e.awsErrorDetails().errorCode()).isEqualTo("InvalidToken"));
        }
    }

    @Test
    void tellsTheSdkWhyItRefuses() {
        try (S3Client s3 = settings(S3Client.builder(), endpoint.uri(""))
                        .credentialsProvider(StaticCredentialsProvider.create(
                                AwsBasicCredentials.create("AKIAIOSFODNN7EXAMPLE", "wrong")))
                        .build();
                S3AsyncClient async = settings(S3AsyncClient.builder(), endpoint.uri(""))
                        .credentialsProvider(
                                StaticCredentialsProvider.create(AwsBasicCredentials.create("AKIAUNKNOWN", "secret")))
                        .build()) {
            assertThatThrownBy(
                            () -> s3.putObject(put -> put.bucket("bucket").key("key"), RequestBody.fromBytes(payload)))
                    .isInstanceOfSatisfying(S3Exception.class, e -> {
                        assertThat(e.statusCode()).isEqualTo(403);
                        assertThat(e.awsErrorDetails().errorCode()).isEqualTo("SignatureDoesNotMatch");
                        assertThat(e.requestId()).isNotBlank();
                    });
            assertThatThrownBy(() -> async.putObject(
                                    put -> put.bucket("bucket").key("key"), AsyncRequestBody.fromBytes(payload))
                            .join())
                    .isInstanceOf(CompletionException.class)
                    .hasRootCauseInstanceOf(S3Exception.class)
                    .rootCause()
                    .hasMessageContaining("access key");
        }
        assertThat(endpoint.requests()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 500_000, 1_000_000})
    void refusesWhatWasChangedOnTheWayFromTheSdk(int place) throws Exception {
        try (TamperingProxy proxy = TamperingProxy.before(endpoint.uri(""), Fault.changeBodyByte(place));
                S3AsyncClient s3 =
                        settings(S3AsyncClient.builder(), proxy.endpoint()).build()) {
            assertThatThrownBy(() -> s3.putObject(
                                    put -> put.bucket("bucket").key("key"), AsyncRequestBody.fromBytes(payload))
                            .join())
                    .rootCause()
                    .isInstanceOf(S3Exception.class);
            assertThat(proxy.faults()).isOne();
        }
        assertThat(endpoint.stored("/bucket/key")).isNull();
        assertThat(endpoint.bytesSeen()).isLessThan(payload.length);
    }

    @ParameterizedTest
    @EnumSource(io.github.reslice.checksum.ChecksumAlgorithm.class)
    void takesWhatReslicesFilterSends(io.github.reslice.checksum.ChecksumAlgorithm algorithm) {
        AwsChunked chunked = AwsChunked.builder().checksum(algorithm).build();

        upload(endpoint.uri(""), filter -> filter.chunked(chunked));
        arrived();
        assertThat(mode()).isEqualTo("STREAMING-UNSIGNED-PAYLOAD-TRAILER");

        upload(endpoint.uri(""), filter -> filter.chunked(chunked.signed()));
        arrived();
        assertThat(mode()).isEqualTo("STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER");
    }

    @Test
    void takesWhatReslicesFilterSignsWithoutChecksumOrSendsPlain() {
        upload(
                endpoint.uri(""),
                filter ->
                        filter.chunked(AwsChunked.builder().noChecksum().build().signed()));
        arrived();
        assertThat(mode()).isEqualTo("STREAMING-AWS4-HMAC-SHA256-PAYLOAD");

        upload(endpoint.uri(""), S3ExchangeFilter.Builder::plainBodies);
        arrived();
        assertThat(mode()).isEqualTo("UNSIGNED-PAYLOAD");
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 500_000})
    void refusesWhatWasChangedOnTheWayFromReslicesFilter(int place) throws Exception {
        AwsChunked chunked = AwsChunked.builder().build();
        try (TamperingProxy proxy = TamperingProxy.before(endpoint.uri(""), Fault.changeBodyByte(place))) {
            assertThatThrownBy(() -> upload(proxy.endpoint(), filter -> filter.chunked(chunked)))
                    .hasMessageContaining("400 Bad Request");
            assertThat(proxy.faults()).isOne();
        }
        try (TamperingProxy proxy = TamperingProxy.before(endpoint.uri(""), Fault.changeBodyByte(place))) {
            assertThatThrownBy(() -> upload(proxy.endpoint(), filter -> filter.chunked(chunked.signed())))
                    .hasMessageContaining("403 Forbidden");
            assertThat(proxy.faults()).isOne();
        }
        assertThat(endpoint.stored("/bucket/key")).isNull();
    }

    private void upload(URI target, UnaryOperator<S3ExchangeFilter.Builder> settings) {
        WebClient.builder()
                .baseUrl(target.toString())
                .filter(settings.apply(S3ExchangeFilter.builder()
                                .credentials(UploadEndpoint.CREDENTIALS)
                                .region(UploadEndpoint.REGION))
                        .build())
                .build()
                .put()
                .uri("/bucket/key")
                .contentLength(payload.length)
                .body(Flux.range(0, 10).map(i -> ByteBuffer.wrap(payload, i * 100_000, 100_000)), ByteBuffer.class)
                .retrieve()
                .toBodilessEntity()
                .block();
    }

    private void arrived() {
        assertThat(endpoint.stored("/bucket/key").bytes()).isEqualTo(payload);
    }

    private String mode() {
        return endpoint.stored("/bucket/key").headers().getFirst("x-amz-content-sha256");
    }

    private static <B extends S3BaseClientBuilder<B, ?>> B settings(B builder, URI target) {
        return builder.endpointOverride(target)
                .region(Region.of(UploadEndpoint.REGION))
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create("AKIAIOSFODNN7EXAMPLE", UploadEndpoint.SECRET_KEY)))
                .forcePathStyle(true)
                .overrideConfiguration(override -> override.retryStrategy(retry -> retry.maxAttempts(1)));
    }
}
