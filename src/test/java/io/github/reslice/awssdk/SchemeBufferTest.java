package io.github.reslice.awssdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.awschunked.ReferenceDecoder;
import io.github.reslice.awschunked.Sliced;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.servers.Answer;
import io.github.reslice.servers.RecordedRequest;
import io.github.reslice.servers.RecordingServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.BlockingOutputStreamAsyncRequestBody;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** Bodies of every kind, shared buffers, and no more in memory than what is asked for. */
class SchemeBufferTest {

    private final byte[] payload = new byte[700_001];
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final RecordingServer server = RecordingServer.answering(Answer.status(200));
    private final S3AsyncClient s3 = Clients.withScheme(server.endpoint(), builder -> {});

    SchemeBufferTest() throws IOException {}

    @BeforeEach
    void fill() {
        new Random(6).nextBytes(payload);
    }

    @AfterEach
    void close() throws IOException {
        s3.close();
        server.close();
        threads.shutdownNow();
    }

    static Stream<Arguments> bodies() {
        return Stream.of(
                body("bytes", AsyncRequestBody::fromBytes),
                body("bytes, not copied", AsyncRequestBody::fromBytesUnsafe),
                body("a buffer", bytes -> AsyncRequestBody.fromByteBuffer(ByteBuffer.wrap(bytes))),
                body(
                        "a read-only buffer",
                        bytes -> AsyncRequestBody.fromByteBuffer(
                                ByteBuffer.wrap(bytes).asReadOnlyBuffer())),
                body("a direct buffer", bytes -> AsyncRequestBody.fromByteBufferUnsafe(direct(bytes))),
                body(
                        "the rest of a buffer",
                        bytes -> AsyncRequestBody.fromRemainingByteBuffer(ByteBuffer.allocate(bytes.length + 3)
                                .position(3)
                                .put(bytes)
                                .position(3))),
                body(
                        "many buffers",
                        bytes -> AsyncRequestBody.fromByteBuffers(
                                ByteBuffer.wrap(bytes, 0, 10),
                                ByteBuffer.wrap(bytes, 10, bytes.length - 10).slice())),
                body(
                        "a publisher of tiny and empty buffers",
                        bytes -> AsyncRequestBody.fromPublisher(Sliced.bySize(bytes, 7)
                                .flux()
                                .concatMap(buffer -> Flux.just(ByteBuffer.allocate(0), buffer)))),
                body(
                        "a publisher of buffers of every form",
                        bytes -> AsyncRequestBody.fromPublisher(
                                Sliced.atRandom(bytes, new Random(7)).flux())));
    }

    private static Arguments body(String name, Function<byte[], AsyncRequestBody> body) {
        return Arguments.of(name, body);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bodies")
    void sends(String name, Function<byte[], AsyncRequestBody> body) {
        join(upload(body.apply(payload)));

        assertWhole(server.requests().get(0));
    }

    @Test
    void sendsAFile(@TempDir Path directory) throws IOException {
        join(upload(AsyncRequestBody.fromFile(Files.write(directory.resolve("file"), payload))));

        assertWhole(server.requests().get(0));
    }

    @Test
    void sendsAnInputStream() {
        join(upload(
                AsyncRequestBody.fromInputStream(new ByteArrayInputStream(payload), (long) payload.length, threads)));

        assertWhole(server.requests().get(0));
    }

    @Test
    void sendsWhatIsWrittenToAnOutputStream() throws IOException {
        BlockingOutputStreamAsyncRequestBody body = AsyncRequestBody.forBlockingOutputStream((long) payload.length);
        CompletableFuture<?> upload = upload(body);
        try (OutputStream out = body.outputStream()) {
            out.write(payload);
        }
        join(upload);

        assertWhole(server.requests().get(0));
    }

    /** Two at once corrupt each other with the SDK's own encoder, which reads the buffers by moving their positions. */
    @Test
    void sendsOneBodyOfSharedBuffersInManyUploadsAtOnce() {
        AsyncRequestBody shared = AsyncRequestBody.fromPublisher(Flux.fromIterable(
                Sliced.bySize(payload, 1000).flux().collectList().block()));

        List<CompletableFuture<?>> uploads = Stream.<CompletableFuture<?>>generate(() -> upload(shared))
                .limit(8)
                .toList();
        uploads.forEach(SchemeBufferTest::join);

        assertThat(server.requests()).hasSize(8).allSatisfy(this::assertWhole);
    }

    @Test
    void leavesTheCallersBufferAsItIs() {
        ByteBuffer buffer = ByteBuffer.wrap(payload);

        join(upload(AsyncRequestBody.fromPublisher(Flux.just(buffer))));

        assertThat(buffer.position()).isZero();
        assertThat(buffer.remaining()).isEqualTo(payload.length);
    }

    /** The source is asked for a next buffer when the one before is written, and not before. */
    @Test
    void asksForNothingThatTheServerDoesNotTake() throws Exception {
        int size = 64 << 20;
        AtomicLong asked = new AtomicLong();
        AtomicLong given = new AtomicLong();
        try (ServerSocket stalled = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                S3AsyncClient toStalled = Clients.withScheme(
                        URI.create("http://127.0.0.1:" + stalled.getLocalPort()),
                        builder -> builder.serviceConfiguration(s3 -> s3.expectContinueEnabled(false)))) {
            ByteBuffer large = ByteBuffer.allocate(size);
            CompletableFuture<?> upload = toStalled.putObject(
                    put -> put.bucket("bucket").key("key").contentLength(4L * size),
                    AsyncRequestBody.fromPublisher(Flux.range(0, 4)
                            .map(i -> {
                                given.incrementAndGet();
                                return large.duplicate();
                            })
                            .doOnRequest(asked::addAndGet)));
            Thread.sleep(1000); // long enough to ask for more, if it would

            upload.cancel(false);
            assertThat(given).hasValue(1);
            assertThat(asked).hasValue(1);
        }
    }

    private CompletableFuture<?> upload(AsyncRequestBody body) {
        return s3.putObject(put -> put.bucket("bucket").key("key").contentLength((long) payload.length), body);
    }

    private static void join(CompletableFuture<?> upload) {
        upload.orTimeout(20, TimeUnit.SECONDS).join();
    }

    private void assertWhole(RecordedRequest request) {
        ReferenceDecoder.Body body = ReferenceDecoder.decode(request.body());
        assertThat(body.payload()).isEqualTo(payload);
        RunningChecksum checksum = ChecksumAlgorithm.CRC32.start();
        checksum.update(ByteBuffer.wrap(payload));
        assertThat(body.trailers()).containsEntry("x-amz-checksum-crc32", checksum.base64());
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }
}
