package io.github.reslice.awssdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.OneShotBodyException;
import io.github.reslice.awschunked.DecodedLengthException;
import io.github.reslice.awschunked.ReferenceDecoder;
import io.github.reslice.servers.Answer;
import io.github.reslice.servers.RecordedRequest;
import io.github.reslice.servers.RecordingServer;
import io.github.reslice.spring.DataBuffers;
import io.github.reslice.spring.TrackedBuffers;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;

/** What the SDK's client over Netty makes of the body: retries, faults, uploads at once. */
@Timeout(60)
class FluxRequestBodyUploadTest {

    private static final int LENGTH = 400_000;
    private static final int SIZE = 9_999;

    private final byte[] payload = new byte[LENGTH];
    private final TrackedBuffers buffers = new TrackedBuffers(PooledByteBufAllocator.DEFAULT);
    private final AtomicInteger subscriptions = new AtomicInteger();

    FluxRequestBodyUploadTest() {
        new Random(5).nextBytes(payload);
    }

    private Flux<ByteBuffer> pooled() {
        return buffers.slicesOf(payload, SIZE)
                .transform(DataBuffers.toByteBuffers())
                .doOnSubscribe(s -> subscriptions.incrementAndGet());
    }

    private static CompletableFuture<PutObjectResponse> put(S3AsyncClient s3, AsyncRequestBody body) {
        return s3.putObject(request -> request.bucket("bucket").key("key"), body);
    }

    private static void upload(RecordingServer server, AsyncRequestBody body) {
        try (S3AsyncClient s3 = SdkClient.of(server.endpoint())) {
            put(s3, body).join();
        }
    }

    private void assertWhole(RecordedRequest request) {
        assertThat(ReferenceDecoder.decode(request.body()).payload()).isEqualTo(payload);
    }

    private static void assertBrokeOff(RecordingServer server) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (server.requests().isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(5);
        }
        assertThat(server.requests())
                .singleElement()
                .satisfies(request -> assertThat((long) request.body().length)
                        .isLessThan(Long.parseLong(request.header("content-length"))));
    }

    private static void assertBreaksItsLength(CompletableFuture<?> sent, long declared, long received) {
        // by itself the SDK may spin for ever, and join() is not interrupted
        assertThatThrownBy(() -> sent.get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(SdkClientException.class)
                .hasRootCauseInstanceOf(DecodedLengthException.class)
                .rootCause()
                .hasMessageContaining(declared + " bytes were declared")
                .hasMessageContaining(received + " ha");
    }

    @Test
    void sendsTheWholeBodyAgainAfterA503() throws Exception {
        try (RecordingServer server = RecordingServer.answering(Answer.status(503), Answer.status(200))) {
            upload(server, FluxRequestBody.of(pooled(), LENGTH));

            assertThat(server.requests()).hasSize(2).allSatisfy(this::assertWhole);
            assertThat(subscriptions).hasValue(2);
        }
        buffers.assertAllReleased();
    }

    @Test
    void sendsTheWholeBodyAgainAfterAReset() throws Exception {
        try (RecordingServer server = RecordingServer.answering(Answer.resetAfter(LENGTH / 2), Answer.status(200))) {
            upload(server, FluxRequestBody.of(pooled(), LENGTH));

            assertThat(server.requests()).hasSize(2);
            assertThat(server.requests().get(0).body()).hasSizeLessThanOrEqualTo(LENGTH / 2);
            assertWhole(server.requests().get(1));
            assertThat(subscriptions).hasValue(2);
        }
        buffers.assertAllReleased();
    }

    /** The SDK's own encoder reads buffers up: what it gets must not be what the source gives again. */
    @Test
    void sendsTheSameBuffersAgain() throws IOException {
        try (RecordingServer server = RecordingServer.answering(Answer.status(503), Answer.status(200))) {
            upload(server, FluxRequestBody.of(Flux.just(ByteBuffer.wrap(payload)), LENGTH));

            assertThat(server.requests()).hasSize(2).allSatisfy(this::assertWhole);
        }
    }

    @Test
    void sendsOneBodyTwiceAtOnce() throws IOException {
        List<ByteBuffer> shared = List.of(
                ByteBuffer.wrap(payload, 0, 150_000),
                ByteBuffer.allocateDirect(LENGTH - 150_000).put(0, payload, 150_000, LENGTH - 150_000));
        AsyncRequestBody body = FluxRequestBody.of(Flux.fromIterable(shared), LENGTH);
        try (RecordingServer server = RecordingServer.answering(Answer.status(200));
                S3AsyncClient s3 = SdkClient.of(server.endpoint())) {
            CompletableFuture.allOf(put(s3, body), put(s3, body)).join();

            assertThat(server.requests()).hasSize(2).allSatisfy(this::assertWhole);
        }
    }

    @Test
    void sendsAnEmptyObject() throws IOException {
        try (RecordingServer server = RecordingServer.answering(Answer.status(200))) {
            upload(server, FluxRequestBody.of(Flux.just(ByteBuffer.allocate(0)), 0));

            assertThat(server.requests())
                    .singleElement()
                    .satisfies(request -> assertThat(request.header("x-amz-decoded-content-length"))
                            .isIn("0", null));
        }
    }

    @Test
    void tellsTheProgressOfEachAttemptUpToTheLength() throws IOException {
        List<Long> progress = new ArrayList<>();
        try (RecordingServer server = RecordingServer.answering(Answer.status(503), Answer.status(200))) {
            upload(server, FluxRequestBody.of(pooled(), LENGTH).onProgress(progress::add));
        }
        int pieces = (LENGTH + SIZE - 1) / SIZE;
        assertThat(progress).hasSize(2 * pieces);
        assertThat(progress.subList(0, pieces))
                .isSorted()
                .startsWith((long) SIZE)
                .endsWith((long) LENGTH);
        assertThat(progress.subList(pieces, 2 * pieces)).isEqualTo(progress.subList(0, pieces));
    }

    @Test
    void failsABodyThatIsTooLongAndTriesItOnce() throws Exception {
        try (RecordingServer server = RecordingServer.answering(Answer.status(200));
                S3AsyncClient s3 = SdkClient.of(server.endpoint())) {
            assertBreaksItsLength(put(s3, FluxRequestBody.of(pooled(), LENGTH - 1)), LENGTH - 1, LENGTH);

            assertBrokeOff(server);
        }
        assertThat(subscriptions).hasValue(1);
        buffers.assertAllReleased();
    }

    @Test
    void failsABodyThatIsTooShortAndTriesItOnce() throws Exception {
        try (RecordingServer server = RecordingServer.answering(Answer.status(200));
                S3AsyncClient s3 = SdkClient.of(server.endpoint())) {
            assertBreaksItsLength(put(s3, FluxRequestBody.of(pooled(), LENGTH + 1)), LENGTH + 1, LENGTH);

            assertBrokeOff(server);
        }
        assertThat(subscriptions).hasValue(1);
        buffers.assertAllReleased();
    }

    private void assertFailsInParts(long declared) throws Exception {
        String upload = "<InitiateMultipartUploadResult><Bucket>bucket</Bucket><Key>key</Key>"
                + "<UploadId>1</UploadId></InitiateMultipartUploadResult>";
        try (RecordingServer server = RecordingServer.answering(
                        Answer.status(200).body("application/xml", upload),
                        Answer.status(200).header("ETag", "\"1\""));
                S3AsyncClient s3 = SdkClient.multipart(server.endpoint())) {
            assertBreaksItsLength(put(s3, FluxRequestBody.of(pooled(), declared)), declared, LENGTH);

            assertThat(server.requests())
                    .extracting(RecordedRequest::line)
                    .anyMatch(line -> line.startsWith("POST /bucket/key?uploads"))
                    .noneMatch(line -> line.startsWith("POST /bucket/key?uploadId"));
        }
        buffers.assertAllReleased();
    }

    @Test
    void completesNoMultipartUploadOfABodyThatIsTooLong() throws Exception {
        assertFailsInParts(LENGTH - 1);
    }

    @Test
    void completesNoMultipartUploadOfABodyThatIsTooShort() throws Exception {
        assertFailsInParts(LENGTH + 1);
    }

    @Test
    void releasesAllWhenTheServerRefuses() throws Exception {
        try (RecordingServer server =
                        RecordingServer.answering(Answer.status(403).after(LENGTH / 4));
                S3AsyncClient s3 = SdkClient.of(server.endpoint())) {
            assertThatThrownBy(put(s3, FluxRequestBody.of(pooled(), LENGTH))::join)
                    .isInstanceOf(CompletionException.class);
        }
        buffers.assertAllReleased();
    }

    @Test
    void cancelsTheSourceAndReleasesAllWhenTheFutureIsCancelled() throws Exception {
        CountDownLatch halfway = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        Flux<DataBuffer> stuck = buffers.slicesOf(payload, SIZE)
                .take(20)
                .concatWith(Flux.<DataBuffer>never().doOnSubscribe(s -> halfway.countDown()))
                .doOnCancel(cancelled::countDown);
        try (RecordingServer server = RecordingServer.answering(Answer.status(200));
                S3AsyncClient s3 = SdkClient.of(server.endpoint())) {
            CompletableFuture<?> sent =
                    put(s3, FluxRequestBody.of(stuck.transform(DataBuffers.toByteBuffers()), LENGTH));
            assertThat(halfway.await(20, TimeUnit.SECONDS)).isTrue();

            sent.cancel(true);

            assertThat(cancelled.await(20, TimeUnit.SECONDS)).isTrue();
        }
        buffers.assertAllReleased();
    }

    @Test
    void failsWithTheSourcesErrorAndReleasesAll() throws Exception {
        RuntimeException error = new IllegalArgumentException("halfway");
        Flux<DataBuffer> broken = buffers.slicesOf(payload, SIZE).take(20).concatWith(Flux.error(error));
        try (RecordingServer server = RecordingServer.answering(Answer.status(200));
                S3AsyncClient s3 = SdkClient.of(server.endpoint())) {
            assertThatThrownBy(put(s3, FluxRequestBody.of(broken.transform(DataBuffers.toByteBuffers()), LENGTH))::join)
                    .rootCause()
                    .isSameAs(error);

            assertBrokeOff(server);
        }
        buffers.assertAllReleased();
    }

    @Test
    void namesASourceThatRefusesTheRetry() throws IOException {
        Sinks.Many<ByteBuffer> once = Sinks.many().unicast().onBackpressureBuffer();
        once.tryEmitNext(ByteBuffer.wrap(payload)).orThrow();
        once.tryEmitComplete().orThrow();
        try (RecordingServer server = RecordingServer.answering(Answer.status(503), Answer.status(200))) {
            assertThatThrownBy(() -> upload(server, FluxRequestBody.of(once.asFlux(), LENGTH)))
                    .hasStackTraceContaining(OneShotBodyException.class.getName())
                    .hasStackTraceContaining("Flux.defer");
        }
    }

    @Test
    void namesASourceThatHasNothingLeftForTheRetry() throws IOException {
        InputStream once = new ByteArrayInputStream(payload);
        Flux<DataBuffer> read = DataBufferUtils.readInputStream(() -> once, buffers.factory(), SIZE);
        try (RecordingServer server = RecordingServer.answering(Answer.status(503), Answer.status(200))) {
            assertThatThrownBy(() ->
                            upload(server, FluxRequestBody.of(read.transform(DataBuffers.toByteBuffers()), LENGTH)))
                    .hasStackTraceContaining(DecodedLengthException.class.getName())
                    .hasStackTraceContaining("read only once");
        }
    }
}
