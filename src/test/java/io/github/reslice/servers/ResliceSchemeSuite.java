package io.github.reslice.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.awschunked.DecodedLengthException;
import io.github.reslice.awssdk.ResliceAuthScheme;
import io.github.reslice.checksum.RunningChecksum;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.spi.scheme.AuthSchemeOption;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.auth.scheme.S3AuthSchemeParams;
import software.amazon.awssdk.services.s3.auth.scheme.S3AuthSchemeProvider;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/** The AWS SDK's asynchronous client as the uploader, with Reslice's encoder inside. */
abstract class ResliceSchemeSuite {

    /** One for all, since each takes two seconds to close. */
    static final SdkAsyncHttpClient NETTY = NettyNioAsyncHttpClient.create();

    private final byte[] payload = new byte[300_000];
    private final String bucket = "scheme-" + UUID.randomUUID();
    private S3Server server;
    private S3AsyncClient s3;

    @BeforeEach
    void makeABucket(S3Server given) {
        server = given;
        s3 = client(server);
        new Random(3).nextBytes(payload);
        join(s3.createBucket(request -> request.bucket(bucket)));
    }

    @AfterEach
    void close() {
        s3.close();
    }

    @Test
    void uploadsAsItComes() {
        upload(put -> {}, AsyncRequestBody.fromBytes(payload));

        assertStored(payload);
    }

    @ParameterizedTest
    @EnumSource(names = {"CRC32", "CRC32_C", "SHA1", "SHA256"})
    void uploadsWithEachChecksum(ChecksumAlgorithm algorithm) {
        upload(put -> put.checksumAlgorithm(algorithm), AsyncRequestBody.fromBytes(payload));

        assertStored(payload);
    }

    /** For which the SDK's own signer wants its native library. */
    @Test
    void uploadsWithCrc64NvmeWithoutTheNativeLibrary() {
        upload(put -> put.checksumAlgorithm(ChecksumAlgorithm.CRC64_NVME), AsyncRequestBody.fromBytes(payload));

        assertStored(payload);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"})
    void refusesAChangedByteWhereTheChecksumIsCompared(io.github.reslice.checksum.ChecksumAlgorithm algorithm)
            throws IOException {
        try (TamperingProxy proxy =
                        TamperingProxy.before(server.endpoint(), Fault.changeByteAfter("\r\n20000\r\n", 1000));
                S3AsyncClient changed = client(server.through(proxy.endpoint()))) {
            PutObjectRequest put = object(request -> request.checksumAlgorithm(algorithm.name()));
            CompletableFuture<?> upload = changed.putObject(put, AsyncRequestBody.fromBytes(payload));
            if (server.verifies(algorithm)) {
                assertThatThrownBy(() -> join(upload)).isInstanceOf(CompletionException.class);
                assertNothingStored();
            } else {
                join(upload);
                assertThat(read()).isNotEqualTo(payload).hasSameSizeAs(payload);
            }
            assertThat(proxy.faults()).isOne();
        }
    }

    @Test
    void uploadsAnEmptyObject() {
        upload(put -> {}, AsyncRequestBody.empty());

        assertStored(new byte[0]);
    }

    @Test
    void uploadsBesideAnEncodingOfTheObjectsOwnWhereTheServerKnowsBoth() {
        if (!server.traits().decodesBesideGzip()) {
            return;
        }
        upload(put -> put.contentEncoding("gzip"), AsyncRequestBody.fromBytes(payload));

        assertStored(payload);
    }

    @Test
    void uploadsUnderEachKey() {
        for (String key : OddKeys.ALL) {
            if (server.holds(key)) {
                join(s3.putObject(put -> put.bucket(bucket).key(key), AsyncRequestBody.fromString(key)));
                assertThat(join(s3.getObject(get -> get.bucket(bucket).key(key), AsyncResponseTransformer.toBytes()))
                                .asUtf8String())
                        .isEqualTo(key);
            }
        }
    }

    @Test
    void uploadsInSmallChunks() {
        try (S3AsyncClient small = SdkClients.async(
                server,
                builder -> builder.httpClient(NETTY)
                        .putAuthScheme(
                                ResliceAuthScheme.builder().chunkSize(8192).build()))) {
            join(small.putObject(object(put -> {}), AsyncRequestBody.fromBytes(payload)));
        }

        assertStored(payload);
    }

    /** As over HTTPS, where the SDK can be told to; what it signed goes over plain HTTP. */
    @ParameterizedTest
    @EnumSource(names = {"CRC32", "CRC64_NVME"})
    void uploadsSignedChunks(ChecksumAlgorithm algorithm) {
        int port = server.endpoint().getPort();
        try (S3AsyncClient signing = SdkClients.async(
                server.through(URI.create("https://127.0.0.1:" + port)),
                builder -> builder.httpClient(new PlainHttp(NETTY, port))
                        .putAuthScheme(ResliceAuthScheme.create())
                        .authSchemeProvider(ResliceSchemeSuite::withSignedPayload))) {
            join(signing.putObject(
                    object(put -> put.checksumAlgorithm(algorithm)), AsyncRequestBody.fromBytes(payload)));
        }

        assertStored(payload);
    }

    private static List<AuthSchemeOption> withSignedPayload(S3AuthSchemeParams params) {
        return S3AuthSchemeProvider.defaultProvider().resolveAuthScheme(params).stream()
                .map(option -> option.toBuilder()
                        .putSignerProperty(AwsV4FamilyHttpSigner.PAYLOAD_SIGNING_ENABLED, true)
                        .build())
                .toList();
    }

    @Test
    void uploadsParts() {
        byte[] first = new byte[5 << 20];
        new Random(8).nextBytes(first);
        String upload = join(s3.createMultipartUpload(
                        create -> create.bucket(bucket).key("object")))
                .uploadId();
        CompletedPart one = part(upload, 1, first);
        CompletedPart two = part(upload, 2, payload);
        join(s3.completeMultipartUpload(complete -> complete.bucket(bucket)
                .key("object")
                .uploadId(upload)
                .multipartUpload(parts -> parts.parts(one, two))));

        byte[] whole = ByteBuffer.allocate(first.length + payload.length)
                .put(first)
                .put(payload)
                .array();
        assertStored(whole);
    }

    private CompletedPart part(String upload, int number, byte[] bytes) {
        UploadPartResponse part = join(s3.uploadPart(
                request -> request.bucket(bucket).key("object").uploadId(upload).partNumber(number),
                AsyncRequestBody.fromBytes(bytes)));
        return CompletedPart.builder().partNumber(number).eTag(part.eTag()).build();
    }

    @Test
    void uploadsWithAChecksumGivenBeforehand() {
        upload(put -> put.checksumCRC32(crc32()), AsyncRequestBody.fromBytes(payload));

        assertStored(payload);
    }

    @Test
    void refusesAWrongChecksumGivenBeforehandWhereItIsCompared() {
        PutObjectRequest put = object(request -> request.checksumCRC32("AAAAAA=="));
        CompletableFuture<?> upload = s3.putObject(put, AsyncRequestBody.fromBytes(payload));

        if (server.checks(Check.HEADER_CHECKSUM)) {
            assertThatThrownBy(() -> join(upload)).cause().isInstanceOf(S3Exception.class);
            assertNothingStored();
        } else {
            join(upload);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1, -150_000, 150_000})
    void storesNothingOfABodyThatBreaksItsLength(long difference) {
        long declared = payload.length + difference;

        assertThatThrownBy(() -> upload(
                        put -> put.contentLength(declared),
                        AsyncRequestBody.fromPublisher(Flux.just(ByteBuffer.wrap(payload)))))
                .rootCause()
                .isInstanceOfSatisfying(DecodedLengthException.class, e -> {
                    assertThat(e.declared()).isEqualTo(declared);
                    assertThat(e.received()).isEqualTo(payload.length);
                });
        assertNothingStored();
    }

    static S3AsyncClient client(S3Server server) {
        return SdkClients.async(server, builder -> builder.httpClient(NETTY).putAuthScheme(ResliceAuthScheme.create()));
    }

    private void upload(Consumer<PutObjectRequest.Builder> change, AsyncRequestBody body) {
        join(s3.putObject(object(change), body));
    }

    private PutObjectRequest object(Consumer<PutObjectRequest.Builder> change) {
        return PutObjectRequest.builder()
                .bucket(bucket)
                .key("object")
                .applyMutation(change)
                .build();
    }

    private String crc32() {
        RunningChecksum checksum = io.github.reslice.checksum.ChecksumAlgorithm.CRC32.start();
        checksum.update(ByteBuffer.wrap(payload));
        return checksum.base64();
    }

    private byte[] read() {
        return join(s3.getObject(get -> get.bucket(bucket).key("object"), AsyncResponseTransformer.toBytes()))
                .asByteArray();
    }

    private void assertStored(byte[] expected) {
        assertThat(read()).isEqualTo(expected);
    }

    private void assertNothingStored() {
        assertThatThrownBy(this::read)
                .cause()
                .isInstanceOfSatisfying(
                        S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(404));
    }

    private static <T> T join(CompletableFuture<T> future) {
        return future.orTimeout(60, TimeUnit.SECONDS).join();
    }
}
