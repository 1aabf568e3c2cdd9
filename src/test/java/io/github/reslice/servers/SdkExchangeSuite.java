package io.github.reslice.servers;

import static io.github.reslice.checksum.ChecksumAlgorithm.CRC32;
import static io.github.reslice.checksum.ChecksumAlgorithm.CRC32C;
import static io.github.reslice.checksum.ChecksumAlgorithm.CRC64NVME;
import static io.github.reslice.checksum.ChecksumAlgorithm.SHA1;
import static io.github.reslice.checksum.ChecksumAlgorithm.SHA256;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.AwsChunked;
import io.github.reslice.Checksums;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.ChecksumMismatchException;
import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.spring.DataBuffers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.checksums.DefaultChecksumAlgorithm;
import software.amazon.awssdk.checksums.SdkChecksum;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.checksums.ChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** What Reslice uploads, the AWS SDK reads and validates; and the other way round. */
abstract class SdkExchangeSuite extends FilterSuite {

    /** Those that the AWS SDK computes without native code, and all servers take. */
    static final List<ChecksumAlgorithm> COMPUTED_BY_THE_SDK = List.of(CRC32, CRC32C, SHA1, SHA256);

    private final byte[] payload = randomBytes(300_000);

    @ParameterizedTest
    @FieldSource("COMPUTED_BY_THE_SDK")
    void isValidatedByTheSdkWhereTheServerReturnsTheChecksum(ChecksumAlgorithm algorithm) {
        upload(algorithm);

        Validation validation = new Validation();
        try (S3Client sdk = SdkClients.blocking(server(), validation)) {
            ResponseBytes<GetObjectResponse> read = get(sdk);

            assertThat(read.asByteArray()).isEqualTo(payload);
            if (server().traits().returnsChecksum()) {
                assertThat(returned(read.response(), algorithm)).isEqualTo(reference(algorithm));
                assertThat(validation.result).isEqualTo(ChecksumValidation.VALIDATED);
                assertThat(validation.algorithm).isEqualTo(algorithm.name());
            } else {
                assertThat(returned(read.response(), algorithm)).isNull();
                assertThat(validation.result).isNotEqualTo(ChecksumValidation.VALIDATED);
            }
        }
    }

    /** The counter-test: without it, the SDK might validate nothing. */
    @ParameterizedTest
    @FieldSource("COMPUTED_BY_THE_SDK")
    void isRefusedByTheSdkWhenAByteChangesOnTheWayBack(ChecksumAlgorithm algorithm) throws IOException {
        upload(algorithm);

        try (TamperingProxy proxy = TamperingProxy.behind(server().endpoint(), Fault.changeBodyByte(1000));
                S3Client sdk = SdkClients.blocking(server().through(proxy.endpoint()))) {
            if (server().traits().returnsChecksum()) {
                assertThatThrownBy(() -> get(sdk))
                        .isInstanceOf(SdkClientException.class)
                        .hasMessageContaining("different checksum than expected");
            } else {
                assertThat(get(sdk).asByteArray()).isNotEqualTo(payload);
            }
            assertThat(proxy.faults()).isOne();
        }
    }

    /** The SDK cannot compute this one without native code; what it is given back is compared here. */
    @Test
    void returnsCrc64NvmeToTheSdkWhereTheServerReturnsTheChecksum() {
        upload(CRC64NVME);

        try (S3Client sdk = SdkClients.blocking(server())) {
            assertThat(get(sdk).response().checksumCRC64NVME())
                    .isEqualTo(server().traits().returnsChecksum() ? crc64Nvme() : null);
        }
    }

    @ParameterizedTest
    @FieldSource("COMPUTED_BY_THE_SDK")
    void verifiesWhatTheSdkUploaded(ChecksumAlgorithm algorithm) {
        uploadBySdk(algorithm);

        for (Connector connector : Connector.values()) {
            assertThat(verified(client(connector), algorithm)).isEqualTo(payload);
            assertThat(verifiedByteBuffers(client(connector), algorithm)).isEqualTo(payload);
        }
    }

    @ParameterizedTest
    @FieldSource("COMPUTED_BY_THE_SDK")
    void refusesWhatTheSdkUploadedWhenAByteChangesOnTheWayBack(ChecksumAlgorithm algorithm) throws IOException {
        uploadBySdk(algorithm);

        try (TamperingProxy proxy = TamperingProxy.behind(server().endpoint(), Fault.changeBodyByte(1000))) {
            S3Server behind = server().through(proxy.endpoint());
            for (Connector connector : Connector.values()) {
                WebClient client = client(connector, behind, settings(behind));
                assertThatThrownBy(() -> verified(client, algorithm))
                        .isInstanceOf(ChecksumMismatchException.class)
                        .hasMessageContaining(reference(algorithm));
            }
            assertThat(proxy.faults()).isEqualTo(Connector.values().length);
        }
    }

    private void upload(ChecksumAlgorithm algorithm) {
        AwsChunked chunked = AwsChunked.builder().checksum(algorithm).build();
        send(BodyKind.BYTE_BUFFERS.give(put(client(Connector.REACTOR_NETTY, chunked)), payload));
    }

    private void uploadBySdk(ChecksumAlgorithm algorithm) {
        try (S3Client sdk = SdkClients.blocking(server())) {
            sdk.putObject(
                    put -> put.bucket(bucket).key("object").checksumAlgorithm(algorithm.name()),
                    RequestBody.fromBytes(payload));
        }
    }

    private ResponseBytes<GetObjectResponse> get(S3Client sdk) {
        return sdk.getObjectAsBytes(get -> get.bucket(bucket).key("object").checksumMode(ChecksumMode.ENABLED));
    }

    private byte[] verified(WebClient client, ChecksumAlgorithm algorithm) {
        ResponseEntity<Flux<DataBuffer>> response = response(client, DataBuffer.class);
        Flux<DataBuffer> body = response.getBody().transform(DataBuffers.verify(algorithm, value(response, algorithm)));
        return DataBufferUtils.join(body).map(SdkExchangeSuite::bytes).block(PATIENCE);
    }

    private byte[] verifiedByteBuffers(WebClient client, ChecksumAlgorithm algorithm) {
        ResponseEntity<Flux<ByteBuffer>> response = response(client, ByteBuffer.class);
        return response.getBody()
                .transform(Checksums.verify(algorithm, value(response, algorithm)))
                .collect(() -> ByteBuffer.allocate(payload.length), ByteBuffer::put)
                .map(ByteBuffer::array)
                .block(PATIENCE);
    }

    private <T> ResponseEntity<Flux<T>> response(WebClient client, Class<T> type) {
        return client.get()
                .uri(path)
                .header("x-amz-checksum-mode", "ENABLED")
                .retrieve()
                .toEntityFlux(type)
                .block(PATIENCE);
    }

    /** The header's value; of a server that sends none, what the AWS SDK computes. */
    private String value(ResponseEntity<?> response, ChecksumAlgorithm algorithm) {
        String returned = response.getHeaders().getFirst(algorithm.headerName());
        assertThat(returned).isEqualTo(server().traits().returnsChecksum() ? reference(algorithm) : null);
        return Objects.requireNonNullElseGet(returned, () -> reference(algorithm));
    }

    private String reference(ChecksumAlgorithm algorithm) {
        SdkChecksum checksum = SdkChecksum.forAlgorithm(
                switch (algorithm) {
                    case CRC32 -> DefaultChecksumAlgorithm.CRC32;
                    case CRC32C -> DefaultChecksumAlgorithm.CRC32C;
                    case SHA1 -> DefaultChecksumAlgorithm.SHA1;
                    case SHA256 -> DefaultChecksumAlgorithm.SHA256;
                    default -> throw new IllegalArgumentException("not computed here: " + algorithm);
                });
        checksum.update(payload);
        return Base64.getEncoder().encodeToString(checksum.getChecksumBytes());
    }

    private String crc64Nvme() {
        RunningChecksum checksum = CRC64NVME.start();
        checksum.update(ByteBuffer.wrap(payload));
        return checksum.base64();
    }

    private static @Nullable String returned(GetObjectResponse response, ChecksumAlgorithm algorithm) {
        return switch (algorithm) {
            case CRC32 -> response.checksumCRC32();
            case CRC32C -> response.checksumCRC32C();
            case SHA1 -> response.checksumSHA1();
            case SHA256 -> response.checksumSHA256();
            default -> throw new IllegalArgumentException("not asked for here: " + algorithm);
        };
    }

    private static byte[] bytes(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes;
    }

    /** Notes what the SDK validated. */
    private static final class Validation implements ExecutionInterceptor {
        private @Nullable ChecksumValidation result;
        private @Nullable String algorithm;

        @Override
        public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
            result = attributes.getAttribute(SdkExecutionAttribute.HTTP_RESPONSE_CHECKSUM_VALIDATION);
            var validated = attributes.getAttribute(SdkExecutionAttribute.HTTP_CHECKSUM_VALIDATION_ALGORITHM_V2);
            algorithm = validated == null ? null : validated.algorithmId();
        }
    }
}
