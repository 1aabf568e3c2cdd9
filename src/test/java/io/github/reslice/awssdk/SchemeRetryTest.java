package io.github.reslice.awssdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.awschunked.ReferenceDecoder;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.servers.Answer;
import io.github.reslice.servers.RecordedRequest;
import io.github.reslice.servers.RecordingServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Whatever ended the first attempt, the second one is whole. */
class SchemeRetryTest {

    private final byte[] payload = new byte[1_000_000];
    private final AtomicInteger subscriptions = new AtomicInteger();

    SchemeRetryTest() {
        new Random(5).nextBytes(payload);
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of("reset at once", Answer.resetAfter(0)),
                Arguments.of("reset halfway", Answer.resetAfter(500_000)),
                Arguments.of("503 before the body", Answer.status(503).after(0)),
                Arguments.of("503 halfway", Answer.status(503).after(500_000)),
                Arguments.of("503 after the body", Answer.status(503)),
                Arguments.of("500 before the body", Answer.status(500).after(0)),
                Arguments.of("500 after the body", Answer.status(500)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failures")
    void sendsTheWholeBodyAgainAfter(String name, Answer failure) throws IOException {
        try (RecordingServer server = RecordingServer.answering(failure, Answer.status(200));
                S3AsyncClient s3 = client(server, 2)) {
            upload(s3);

            assertThat(server.requests()).hasSize(2);
            assertWhole(server.requests().get(1));
            assertThat(subscriptions).hasValueBetween(1, 2);
        }
    }

    /** The source gives other bytes at the second subscription: the SDK's own encoder would send the first one's checksum. */
    @Test
    void computesTheChecksumAnewForEachAttempt() throws IOException {
        try (RecordingServer server = RecordingServer.answering(Answer.status(503), Answer.status(200));
                S3AsyncClient s3 = client(server, 2)) {
            upload(
                    s3,
                    attempt ->
                            Flux.just(attempt == 1 ? ByteBuffer.allocate(payload.length) : ByteBuffer.wrap(payload)));

            assertWhole(server.requests().get(1));
            assertThat(subscriptions).hasValue(2);
        }
    }

    @Test
    void endsWithTheSdksExceptionWhenAttemptsAreUsedUp() throws IOException {
        try (RecordingServer server = RecordingServer.answering(Answer.status(503));
                S3AsyncClient s3 = client(server, 3)) {
            assertThatThrownBy(() -> upload(s3))
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOfSatisfying(S3Exception.class, e -> {
                        assertThat(e.statusCode()).isEqualTo(503);
                        assertThat(e.numAttempts()).isEqualTo(3);
                    });
            assertThat(server.requests()).hasSize(3).allSatisfy(this::assertWhole);
        }
    }

    @Test
    void endsWithTheConnectionsErrorWhenAttemptsAreUsedUp() throws IOException {
        try (RecordingServer server = RecordingServer.answering(Answer.resetAfter(1000));
                S3AsyncClient s3 = client(server, 2)) {
            assertThatThrownBy(() -> upload(s3))
                    .cause()
                    .isInstanceOf(SdkClientException.class)
                    .rootCause()
                    .isInstanceOf(IOException.class);
            assertThat(server.requests()).hasSize(2);
        }
    }

    @Test
    void endsWithTheAttemptsTimeout() throws IOException {
        try (RecordingServer server = RecordingServer.answering(Answer.status(200));
                S3AsyncClient s3 = client(
                        server,
                        1,
                        builder -> builder.overrideConfiguration(builder.overrideConfiguration()
                                .copy(o -> o.apiCallAttemptTimeout(Duration.ofMillis(500)))))) {
            assertThatThrownBy(() -> upload(s3, attempt -> Flux.never()))
                    .cause()
                    .isInstanceOf(ApiCallAttemptTimeoutException.class);
        }
    }

    private static S3AsyncClient client(RecordingServer server, int attempts) {
        return client(server, attempts, builder -> {});
    }

    private static S3AsyncClient client(RecordingServer server, int attempts, Consumer<S3AsyncClientBuilder> change) {
        return Clients.withScheme(
                server.endpoint(),
                ((Consumer<S3AsyncClientBuilder>) builder -> builder.overrideConfiguration(
                                override -> override.retryStrategy(retry -> retry.maxAttempts(attempts)
                                        .backoffStrategy(BackoffStrategy.retryImmediately())
                                        .throttlingBackoffStrategy(BackoffStrategy.retryImmediately()))))
                        .andThen(change));
    }

    private void upload(S3AsyncClient s3) {
        upload(s3, attempt -> Flux.just(ByteBuffer.wrap(payload)));
    }

    private void upload(S3AsyncClient s3, IntFunction<Flux<ByteBuffer>> body) {
        s3.putObject(
                        put -> put.bucket("bucket").key("key").contentLength((long) payload.length),
                        AsyncRequestBody.fromPublisher(Flux.defer(() -> body.apply(subscriptions.incrementAndGet()))))
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    private void assertWhole(RecordedRequest request) {
        ReferenceDecoder.Body body = ReferenceDecoder.decode(request.body());
        assertThat(body.payload()).isEqualTo(payload);
        RunningChecksum checksum = ChecksumAlgorithm.CRC32.start();
        checksum.update(ByteBuffer.wrap(payload));
        assertThat(body.trailers()).containsEntry("x-amz-checksum-crc32", checksum.base64());
        assertThat(request.header("content-length")).isEqualTo(Integer.toString(request.body().length));
    }
}
