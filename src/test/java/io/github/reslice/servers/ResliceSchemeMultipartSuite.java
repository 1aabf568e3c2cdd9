package io.github.reslice.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.awssdk.ResliceAuthScheme;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.transfer.s3.S3TransferManager;
import software.amazon.awssdk.transfer.s3.model.UploadRequest;
import software.amazon.awssdk.transfer.s3.progress.TransferListener;

/** What the AWS SDK makes of many parts, in its own client and in its transfer manager, with Reslice's encoder inside. */
abstract class ResliceSchemeMultipartSuite {

    private static final int PART = 5 << 20;
    private static final int PIECE = 100_000;

    private final byte[] payload = new byte[2 * PART + 1_000_000];
    private final String bucket = "scheme-" + UUID.randomUUID();
    private S3Server server;
    private S3AsyncClient s3;

    @BeforeEach
    void makeABucket(S3Server given) {
        server = given;
        s3 = client(server, 1);
        new Random(9).nextBytes(payload);
        join(s3.createBucket(request -> request.bucket(bucket)));
    }

    @AfterEach
    void close() {
        s3.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"CRC32", "CRC32_C", "CRC64_NVME", "SHA1", "SHA256"})
    void uploadsABodyOfKnownLength(ChecksumAlgorithm algorithm) {
        join(s3.putObject(
                put -> put.bucket(bucket).key("object").checksumAlgorithm(algorithm),
                AsyncRequestBody.fromBytes(payload)));

        assertStored();
    }

    @ParameterizedTest
    @EnumSource(names = {"CRC32", "CRC64_NVME"})
    void uploadsABodyOfUnknownLength(ChecksumAlgorithm algorithm) {
        join(s3.putObject(
                put -> put.bucket(bucket).key("object").checksumAlgorithm(algorithm),
                AsyncRequestBody.fromPublisher(pieces())));

        assertStored();
    }

    @Test
    void uploadsASmallBodyOfUnknownLength() {
        join(s3.putObject(
                put -> put.bucket(bucket).key("object"),
                AsyncRequestBody.fromPublisher(Flux.just(ByteBuffer.wrap(payload, 0, 1000)))));

        assertThat(read()).isEqualTo(Arrays.copyOf(payload, 1000));
    }

    @Test
    void uploadsABodyWhoseLengthIsInTheRequest() {
        join(s3.putObject(
                put -> put.bucket(bucket).key("object").contentLength((long) payload.length),
                AsyncRequestBody.fromPublisher(pieces())));

        assertStored();
    }

    @Test
    void uploadsAgainAPartWhoseConnectionWasReset() throws IOException {
        try (TamperingProxy proxy = TamperingProxy.before(server.endpoint(), Fault.once(Fault.cutAfter(1_000_000)));
                S3AsyncClient retrying = client(server.through(proxy.endpoint()), 3)) {
            join(retrying.putObject(put -> put.bucket(bucket).key("object"), AsyncRequestBody.fromBytes(payload)));

            assertThat(proxy.faults()).isOne();
        }
        assertStored();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1})
    void storesNothingOfABodyThatBreaksItsLength(long difference) {
        long declared = payload.length + difference;

        assertThatThrownBy(() -> join(s3.putObject(
                        put -> put.bucket(bucket).key("object").contentLength(declared),
                        AsyncRequestBody.fromPublisher(pieces()))))
                .cause()
                .isInstanceOf(SdkClientException.class);
        assertThatThrownBy(this::read)
                .cause()
                .isInstanceOfSatisfying(
                        S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(404));
    }

    @Test
    void uploadsAFileByTheTransferManager(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("file"), payload);
        AtomicLong transferred = new AtomicLong();
        try (S3TransferManager transfers =
                S3TransferManager.builder().s3Client(s3).build()) {
            join(transfers
                    .uploadFile(upload -> upload.source(file)
                            .putObjectRequest(put -> put.bucket(bucket).key("object"))
                            .addTransferListener(new TransferListener() {
                                @Override
                                public void transferComplete(Context.TransferComplete context) {
                                    transferred.set(context.progressSnapshot().transferredBytes());
                                }
                            }))
                    .completionFuture());
        }

        assertStored();
        assertThat(transferred).hasValue(payload.length);
    }

    @Test
    void uploadsAStreamByTheTransferManager() {
        try (S3TransferManager transfers =
                S3TransferManager.builder().s3Client(s3).build()) {
            join(transfers
                    .upload(UploadRequest.builder()
                            .requestBody(AsyncRequestBody.fromPublisher(pieces()))
                            .putObjectRequest(put -> put.bucket(bucket).key("object"))
                            .build())
                    .completionFuture());
        }

        assertStored();
    }

    private Flux<ByteBuffer> pieces() {
        return Flux.range(0, (payload.length + PIECE - 1) / PIECE)
                .map(i -> ByteBuffer.wrap(payload, i * PIECE, Math.min(PIECE, payload.length - i * PIECE)));
    }

    private static S3AsyncClient client(S3Server server, int attempts) {
        return SdkClients.async(
                server,
                builder -> builder.httpClient(ResliceSchemeSuite.NETTY)
                        .putAuthScheme(ResliceAuthScheme.create())
                        .multipartEnabled(true)
                        .multipartConfiguration(parts ->
                                parts.minimumPartSizeInBytes((long) PART).thresholdInBytes((long) PART))
                        .overrideConfiguration(override -> override.retryStrategy(retry ->
                                retry.maxAttempts(attempts).backoffStrategy(BackoffStrategy.retryImmediately()))));
    }

    private byte[] read() {
        // at once, since s3proxy gives no single part
        try (S3AsyncClient plain = ResliceSchemeSuite.client(server)) {
            return join(plain.getObject(get -> get.bucket(bucket).key("object"), AsyncResponseTransformer.toBytes()))
                    .asByteArray();
        }
    }

    private void assertStored() {
        assertThat(read()).isEqualTo(payload);
    }

    private static <T> T join(CompletableFuture<T> future) {
        return future.orTimeout(60, TimeUnit.SECONDS).join();
    }
}
