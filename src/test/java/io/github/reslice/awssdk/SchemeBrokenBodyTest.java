package io.github.reslice.awssdk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.awschunked.DecodedLengthException;
import io.github.reslice.servers.Answer;
import io.github.reslice.servers.RecordedRequest;
import io.github.reslice.servers.RecordingServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Bodies that break their length, fail, or are not wanted any more: the request ends, and nothing whole is sent. */
class SchemeBrokenBodyTest {

    private static final int LENGTH = 400_000;
    private static final int PIECE = 10_000;
    private static final long ENDLESS = 1L << 40;

    private final RecordingServer server = RecordingServer.answering(Answer.status(200));
    private final CountDownLatch cancelled = new CountDownLatch(1);

    SchemeBrokenBodyTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, PIECE, LENGTH})
    void failsABodyThatIsLongerAndDoesNotTryAgain(int more) throws IOException {
        assertLengthIsKept(pieces(LENGTH + more), LENGTH);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, PIECE, LENGTH - 1, LENGTH})
    void failsABodyThatIsShorterAndDoesNotTryAgain(int less) throws IOException {
        assertLengthIsKept(pieces(LENGTH - less), LENGTH);
    }

    @Test
    void failsABodyThatShouldBeEmpty() throws IOException {
        assertLengthIsKept(pieces(PIECE), 0);
    }

    private void assertLengthIsKept(Flux<ByteBuffer> body, long declared) {
        try (S3AsyncClient s3 = Clients.withScheme(server.endpoint(), SchemeBrokenBodyTest::threeAttempts)) {
            assertThatThrownBy(() -> join(upload(s3, body, declared)))
                    .cause()
                    .isInstanceOf(SdkClientException.class)
                    .hasMessageContaining("SDK Attempt Count: 1")
                    .rootCause()
                    .asInstanceOf(InstanceOfAssertFactories.type(DecodedLengthException.class))
                    .satisfies(e -> {
                        assertThat(e.declared()).isEqualTo(declared);
                        assertThat(e.received()).isNotEqualTo(declared);
                    });
        }
        assertNothingWholeCame();
    }

    @Test
    void failsWithTheSourcesError() throws IOException {
        IllegalStateException mine = new IllegalStateException("the disk is gone");
        try (S3AsyncClient s3 = Clients.withScheme(server.endpoint(), SchemeBrokenBodyTest::threeAttempts)) {
            assertThatThrownBy(() -> join(upload(s3, pieces(LENGTH / 2).concatWith(Flux.error(mine)), LENGTH)))
                    .cause()
                    .isInstanceOf(SdkClientException.class)
                    .rootCause()
                    .isSameAs(mine);
        }
        assertNothingWholeCame();
    }

    /** As the SDK does with the error of a connection: a source's IOException may be gone the next time. */
    @Test
    void triesAgainAfterAnIoExceptionOfTheSource() throws IOException {
        IOException mine = new IOException("a stale handle");
        try (S3AsyncClient s3 = Clients.withScheme(server.endpoint(), SchemeBrokenBodyTest::threeAttempts)) {
            assertThatThrownBy(() -> join(upload(s3, pieces(LENGTH / 2).concatWith(Flux.error(mine)), LENGTH)))
                    .cause()
                    .hasMessageContaining("SDK Attempt Count: 3")
                    .rootCause()
                    .isSameAs(mine);
        }
        assertNothingWholeCame();
    }

    @Test
    void cancelsTheSourceWhenTheFutureIsCancelled() throws Exception {
        CountDownLatch under = new CountDownLatch(1);
        try (S3AsyncClient s3 = Clients.withScheme(server.endpoint(), SchemeBrokenBodyTest::threeAttempts)) {
            CompletableFuture<?> upload =
                    upload(s3, pieces(LENGTH / 2).doOnComplete(under::countDown).concatWith(stalled()), LENGTH);
            assertThat(under.await(20, TimeUnit.SECONDS)).isTrue();

            upload.cancel(false);

            assertThat(cancelled.await(20, TimeUnit.SECONDS)).isTrue();
        }
        assertNothingWholeCame();
    }

    /** The SDK's client over Netty reads no answer before it has sent the body. */
    @Test
    void tellsTheRefusalThatComesHalfway() throws Exception {
        try (RecordingServer refusing =
                        RecordingServer.answering(Answer.status(403).after(100_000));
                S3AsyncClient s3 = Clients.withScheme(refusing.endpoint(), SchemeBrokenBodyTest::threeAttempts)) {
            assertThatThrownBy(() -> join(upload(s3, pieces(LENGTH), LENGTH)))
                    .cause()
                    .isInstanceOfSatisfying(
                            S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(403));
        }
    }

    @Test
    void sendsNothingOfABodyThatIsRefusedBeforehand() throws Exception {
        try (RecordingServer refusing =
                        RecordingServer.answering(Answer.status(403).after(0));
                S3AsyncClient s3 = Clients.withScheme(refusing.endpoint(), SchemeBrokenBodyTest::threeAttempts)) {
            assertThatThrownBy(() -> join(upload(s3, endless(), ENDLESS)))
                    .cause()
                    .isInstanceOfSatisfying(
                            S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(403));
            assertThat(refusing.requests()).hasSize(1).allMatch(request -> request.body().length == 0);
        }
    }

    /** While it is written to: the SDK's client over Netty does not read during an upload. */
    @Test
    void cancelsTheSourceWhenTheConnectionIsReset() throws Exception {
        try (RecordingServer resetting = RecordingServer.answering(Answer.resetAfter(100_000));
                S3AsyncClient s3 = Clients.withScheme(resetting.endpoint(), builder -> {})) {
            CompletableFuture<?> upload = upload(s3, endless(), ENDLESS);

            assertThatThrownBy(() -> join(upload)).rootCause().isInstanceOf(IOException.class);
            assertThat(cancelled.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private Flux<ByteBuffer> stalled() {
        return Flux.<ByteBuffer>never().doOnCancel(cancelled::countDown);
    }

    private Flux<ByteBuffer> endless() {
        return pieces(ENDLESS).doOnCancel(cancelled::countDown);
    }

    private static Flux<ByteBuffer> pieces(long length) {
        return Flux.generate(() -> length, (left, sink) -> {
            if (left == 0) {
                sink.complete();
                return left;
            }
            int size = (int) Math.min(left, PIECE);
            sink.next(ByteBuffer.allocate(size));
            return left - size;
        });
    }

    private static void threeAttempts(S3AsyncClientBuilder builder) {
        builder.overrideConfiguration(override -> override.retryStrategy(
                retry -> retry.maxAttempts(3).backoffStrategy(BackoffStrategy.retryImmediately())));
    }

    private static CompletableFuture<?> upload(S3AsyncClient s3, Flux<ByteBuffer> body, long declared) {
        return s3.putObject(
                put -> put.bucket("bucket").key("key").contentLength(declared), AsyncRequestBody.fromPublisher(body));
    }

    private static void join(CompletableFuture<?> upload) {
        upload.orTimeout(20, TimeUnit.SECONDS).join();
    }

    private void assertNothingWholeCame() {
        for (RecordedRequest request : server.requests()) {
            assertThat(request.body().length).isLessThan(Integer.parseInt(request.header("content-length")));
            assertThat(new String(request.body(), ISO_8859_1)).doesNotContain("x-amz-checksum");
        }
    }
}
