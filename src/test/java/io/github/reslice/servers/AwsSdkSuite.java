package io.github.reslice.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * The AWS SDK as the uploader. Over plain HTTP it signs every chunk and sends the checksum in a signed trailer, so this also
 * holds the signature checks of {@link ServerTraits} against the server.
 */
abstract class AwsSdkSuite {

    private static final String SIGNATURE = ";chunk-signature=";

    private final byte[] payload = new byte[300_000];
    private final String bucket = "sdk-" + UUID.randomUUID();
    private S3Server server;
    private S3Client s3;

    @BeforeEach
    void makeABucket(S3Server given) {
        server = given;
        s3 = SdkClients.blocking(server);
        new Random(2).nextBytes(payload);
        s3.createBucket(request -> request.bucket(bucket));
    }

    @AfterEach
    void close() {
        s3.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"CRC32", "CRC32_C", "SHA1", "SHA256"})
    void uploadsWithTheBlockingClient(ChecksumAlgorithm algorithm) {
        upload(s3, algorithm);

        assertThat(read()).isEqualTo(payload);
    }

    @ParameterizedTest
    @EnumSource(names = {"CRC32", "CRC32_C", "SHA1", "SHA256"})
    void uploadsWithTheAsyncClient(ChecksumAlgorithm algorithm) {
        try (S3AsyncClient async = SdkClients.async(server)) {
            async.putObject(object(algorithm), AsyncRequestBody.fromBytes(payload))
                    .join();

            ResponseBytes<GetObjectResponse> read = async.getObject(
                            request -> request.bucket(bucket).key("object"), AsyncResponseTransformer.toBytes())
                    .join();
            assertThat(read.asByteArray()).isEqualTo(payload);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "CHUNK_SIGNATURE, ;chunk-signature=, 10",
        "LAST_CHUNK_SIGNATURE, 0;chunk-signature=, 10",
        "TRAILER_SIGNATURE, x-amz-trailer-signature:, 10"
    })
    void refusesAWrongSignatureWhereItIsChecked(Check check, String before, long place) throws IOException {
        String line = check == Check.LAST_CHUNK_SIGNATURE ? "\r\n" + before : before;
        try (TamperingProxy proxy = TamperingProxy.before(server.endpoint(), Fault.changeByteAfter(line, place));
                S3Client changed = SdkClients.blocking(server.through(proxy.endpoint()))) {
            if (server.checks(check)) {
                assertRefused(changed, ChecksumAlgorithm.CRC32);
            } else {
                upload(changed, ChecksumAlgorithm.CRC32);
                assertThat(read()).isEqualTo(payload);
            }
            assertThat(proxy.faults()).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CRC32", "CRC32_C", "SHA1", "SHA256"})
    void refusesAChangedByteWhereSomethingCoversIt(ChecksumAlgorithm algorithm) throws IOException {
        Fault fault = Fault.changeByteAfter(SIGNATURE, 64 + "\r\n".length() + 1000);
        boolean covered = server.checks(Check.CHUNK_SIGNATURE)
                || server.verifies(io.github.reslice.checksum.ChecksumAlgorithm.valueOf(algorithm.toString()));
        assertThat(covered).as("each of the servers checks one or the other").isTrue();

        try (TamperingProxy proxy = TamperingProxy.before(server.endpoint(), fault);
                S3Client changed = SdkClients.blocking(server.through(proxy.endpoint()))) {
            assertRefused(changed, algorithm);
            assertThat(proxy.faults()).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CRC32", "CRC32_C", "SHA1", "SHA256"})
    void readsTheChecksumBackWhereTheServerReturnsIt(ChecksumAlgorithm algorithm) {
        upload(s3, algorithm);

        GetObjectResponse response = s3.getObjectAsBytes(
                        request -> request.bucket(bucket).key("object").checksumMode(ChecksumMode.ENABLED))
                .response();
        String returned = switch (algorithm) {
            case CRC32 -> response.checksumCRC32();
            case CRC32_C -> response.checksumCRC32C();
            case SHA1 -> response.checksumSHA1();
            default -> response.checksumSHA256();
        };
        assertThat(returned != null).isEqualTo(server.traits().returnsChecksum());
    }

    /**
     * That the server says no and stores nothing. One that says so while the body is still coming may close before its
     * answer has been read; the client then sees a broken connection, and no timeout.
     */
    private void assertRefused(S3Client client, ChecksumAlgorithm algorithm) {
        assertThatThrownBy(() -> upload(client, algorithm))
                .satisfiesAnyOf(
                        this::isTheServersRefusal,
                        thrown -> assertThat(thrown)
                                .isInstanceOf(SdkClientException.class)
                                .rootCause()
                                .isInstanceOf(IOException.class)
                                .isNotInstanceOf(InterruptedIOException.class));
        assertThatThrownBy(() -> s3.headObject(head -> head.bucket(bucket).key("object")))
                .isInstanceOfSatisfying(
                        S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(404));
    }

    /** By the signature where that is checked; S3Mock, which checks none, has no better code for a wrong checksum. */
    private void isTheServersRefusal(Throwable thrown) {
        String code = server.checks(Check.CHUNK_SIGNATURE) ? "SignatureDoesNotMatch" : "BadRequest";
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        S3Exception.class,
                        e -> assertThat(e.awsErrorDetails().errorCode()).isEqualTo(code));
    }

    private void upload(S3Client client, ChecksumAlgorithm algorithm) {
        client.putObject(object(algorithm), RequestBody.fromBytes(payload));
    }

    private PutObjectRequest object(ChecksumAlgorithm algorithm) {
        return PutObjectRequest.builder()
                .bucket(bucket)
                .key("object")
                .checksumAlgorithm(algorithm)
                .build();
    }

    private byte[] read() {
        return s3.getObjectAsBytes(request -> request.bucket(bucket).key("object"))
                .asByteArray();
    }
}
