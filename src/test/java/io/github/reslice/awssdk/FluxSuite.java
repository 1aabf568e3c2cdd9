package io.github.reslice.awssdk;

import static io.github.reslice.checksum.ChecksumAlgorithm.SHA256;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.Checksums;
import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.servers.S3Server;
import io.github.reslice.servers.SdkClients;
import io.github.reslice.spring.DataBuffers;
import io.github.reslice.spring.TrackedBuffers;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;

/** There and back by the SDK's own client. */
@Timeout(120)
abstract class FluxSuite {

    final String bucket = "flux-" + UUID.randomUUID();
    S3Server server;

    @BeforeEach
    void makeABucket(S3Server given) {
        server = given;
        try (S3AsyncClient s3 = SdkClients.async(server)) {
            s3.createBucket(request -> request.bucket(bucket)).join();
        }
    }

    static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(6).nextBytes(bytes);
        return bytes;
    }

    private Flux<ByteBuffer> read(S3AsyncClient s3) {
        return Mono.fromFuture(() ->
                        s3.getObject(request -> request.bucket(bucket).key("key"), FluxResponseTransformer.create()))
                .flatMapMany(Flux::from);
    }

    void assertReads(S3AsyncClient s3, byte[] payload) {
        RunningChecksum expected = SHA256.start();
        expected.update(payload, 0, payload.length);
        Long length = read(s3).transform(Checksums.verify(SHA256, expected.base64()))
                .reduce(0L, (sum, buffer) -> sum + buffer.remaining())
                .block();
        assertThat(length).isEqualTo(payload.length);
    }

    @ParameterizedTest
    @EnumSource(names = {"CRC32", "CRC32_C", "SHA1", "SHA256"})
    void storesAndReadsPooledBuffers(ChecksumAlgorithm algorithm) throws InterruptedException {
        byte[] payload = bytes(300_000);
        TrackedBuffers buffers = new TrackedBuffers(PooledByteBufAllocator.DEFAULT);
        AsyncRequestBody body = FluxRequestBody.of(
                buffers.slicesOf(payload, 9_999).transform(DataBuffers.toByteBuffers()), payload.length);
        try (S3AsyncClient s3 = SdkClients.async(server)) {
            s3.putObject(request -> request.bucket(bucket).key("key").checksumAlgorithm(algorithm), body)
                    .join();

            assertReads(s3, payload);
        }
        buffers.assertAllReleased();
    }
}
