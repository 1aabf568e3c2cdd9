package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.AwsChunked;
import io.github.reslice.awschunked.DecodedLengthException;
import io.github.reslice.netty.NoLeaks;
import io.github.reslice.servers.Answer;
import io.github.reslice.servers.Connector;
import io.github.reslice.servers.RecordedRequest;
import io.github.reslice.servers.RecordingServer;
import io.github.reslice.sigv4.AwsCredentials;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.JettyDataBufferFactory;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Every pooled buffer is given back exactly once, however a request ends; and what broke off is never complete. */
@ExtendWith(NoLeaks.class)
@Timeout(30)
class S3ExchangeFilterLeakTest {

    private static final int LENGTH = 400_000;

    private final byte[] payload = new byte[LENGTH];

    S3ExchangeFilterLeakTest() {
        new Random(2).nextBytes(payload);
    }

    /** What the filter makes of a body. */
    enum Form {
        PLAIN,
        ENCODED,
        JOINED,
        SIGNED;

        S3ExchangeFilter filter() {
            S3ExchangeFilter.Builder builder = S3ExchangeFilter.builder()
                    .credentials(AwsCredentials.of("test", "test"))
                    .region("us-east-1");
            AwsChunked chunked = AwsChunked.builder().chunkSize(8192).build();
            return switch (this) {
                case PLAIN -> builder.plainBodies().build();
                case ENCODED -> builder.chunked(chunked).build();
                case JOINED -> builder.chunked(chunked).joinUpTo(4 * 1024).build();
                case SIGNED -> builder.chunked(chunked.signed()).build();
            };
        }
    }

    /** How a body goes: on which connector, with which allocator, and in which form. */
    record Way(Connector connector, ByteBufAllocator allocator, Form form) {

        /** Each allocator in each form where buffers go to the connector; where they are copied, one in each. */
        static Stream<Arguments> all() {
            return Stream.of(Connector.values())
                    .flatMap(connector -> Stream.of(Form.values())
                            .flatMap(form -> allocators(connector, form)
                                    .map(allocator -> Arguments.of(new Way(connector, allocator, form)))));
        }

        private static Stream<ByteBufAllocator> allocators(Connector connector, Form form) {
            if (connector == Connector.REACTOR_NETTY) {
                return Stream.of(
                        PooledByteBufAllocator.DEFAULT, ByteBufAllocator.DEFAULT, UnpooledByteBufAllocator.DEFAULT);
            }
            return switch (form) {
                case PLAIN -> Stream.of(PooledByteBufAllocator.DEFAULT);
                case ENCODED, JOINED -> Stream.of(ByteBufAllocator.DEFAULT);
                case SIGNED -> Stream.of(UnpooledByteBufAllocator.DEFAULT);
            };
        }

        WebClient client(URI endpoint) {
            return connector.client(endpoint, form.filter());
        }

        @Override
        public String toString() {
            return connector + ", " + allocator.getClass().getSimpleName() + ", " + form;
        }
    }

    private static Mono<ResponseEntity<Void>> put(
            Way way, RecordingServer server, long length, Publisher<DataBuffer> body) {
        return way.client(server.endpoint())
                .put()
                .uri("/bucket/key")
                .contentLength(length)
                .body(body, DataBuffer.class)
                .retrieve()
                .toBodilessEntity();
    }

    private static void assertNoneComplete(List<RecordedRequest> requests) {
        assertThat(requests)
                .allSatisfy(request -> assertThat((long) request.body().length)
                        .isLessThan(Long.parseLong(request.header("content-length"))));
    }

    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.S3ExchangeFilterLeakTest$Way#all")
    void onSuccess(Way way) throws Exception {
        TrackedBuffers buffers = new TrackedBuffers(way.allocator());
        try (RecordingServer server = RecordingServer.answering(Answer.status(200))) {
            put(way, server, LENGTH, buffers.slicesOf(payload, 9_999)).block();

            buffers.assertAllReleased();
            assertThat(server.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.S3ExchangeFilterLeakTest$Way#all")
    void whenTheSourceFailsHalfway(Way way) throws Exception {
        TrackedBuffers buffers = new TrackedBuffers(way.allocator());
        Flux<DataBuffer> body =
                buffers.slicesOf(payload, 9_999).take(20).concatWith(Flux.error(new IOException("the disk is gone")));
        try (RecordingServer server = RecordingServer.answering(Answer.status(200))) {
            assertThatThrownBy(() -> put(way, server, LENGTH, body).block())
                    .hasStackTraceContaining("the disk is gone");

            buffers.assertAllReleased();
            assertNoneComplete(server.requests());
        }
    }

    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.S3ExchangeFilterLeakTest$Way#all")
    void whenTheBodyIsTooLong(Way way) throws Exception {
        TrackedBuffers buffers = new TrackedBuffers(way.allocator());
        try (RecordingServer server = RecordingServer.answering(Answer.status(200))) {
            assertThatThrownBy(() -> put(way, server, 200_000, buffers.slicesOf(payload, 10_000))
                            .block())
                    .hasRootCauseInstanceOf(DecodedLengthException.class);

            buffers.assertAllReleased();
            assertNoneComplete(server.requests());
        }
    }

    /** As Spring writes a stream that it flushes item by item: a group that is fetched must be subscribed to. */
    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.S3ExchangeFilterLeakTest$Way#all")
    void whenABodyInGroupsIsTooLong(Way way) throws Exception {
        TrackedBuffers buffers = new TrackedBuffers(way.allocator());
        Flux<Mono<DataBuffer>> groups = buffers.slicesOf(payload, 10_000)
                .hide() // fused, it would make the groups one by one, and none ahead
                .map(buffer -> Mono.just(buffer).doOnDiscard(DataBuffer.class, DataBufferUtils::release));
        try (RecordingServer server = RecordingServer.answering(Answer.status(200))) {
            assertThatThrownBy(() -> way.client(server.endpoint())
                            .put()
                            .uri("/bucket/key")
                            .contentLength(200_000)
                            .body((request, context) -> request.writeAndFlushWith(groups))
                            .retrieve()
                            .toBodilessEntity()
                            .block())
                    .hasRootCauseInstanceOf(DecodedLengthException.class);

            buffers.assertAllReleased();
        }
    }

    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.S3ExchangeFilterLeakTest$Way#all")
    void whenTheBodyIsTooShort(Way way) throws Exception {
        TrackedBuffers buffers = new TrackedBuffers(way.allocator());
        try (RecordingServer server = RecordingServer.answering(Answer.status(200))) {
            assertThatThrownBy(() -> put(way, server, LENGTH + 1, buffers.slicesOf(payload, 10_000))
                            .block())
                    .hasRootCauseInstanceOf(DecodedLengthException.class);

            buffers.assertAllReleased();
            assertNoneComplete(server.requests());
        }
    }

    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.S3ExchangeFilterLeakTest$Way#all")
    void whenTheServerRefusesMidway(Way way) throws Exception {
        TrackedBuffers buffers = new TrackedBuffers(way.allocator());
        Answer refusal = Answer.status(403).after(50_000);
        try (RecordingServer server = RecordingServer.answering(refusal)) {
            assertThatThrownBy(() -> put(way, server, LENGTH, buffers.slicesOf(payload, 9_999))
                            .block())
                    .isInstanceOfAny(WebClientRequestException.class, WebClientResponseException.class);

            buffers.assertAllReleased();
        }
    }

    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.S3ExchangeFilterLeakTest$Way#all")
    void whenTheConnectionIsReset(Way way) throws Exception {
        TrackedBuffers buffers = new TrackedBuffers(way.allocator());
        // much more than any socket holds, so that the client is still sending
        byte[] large = new byte[30_000_000];
        try (RecordingServer server = RecordingServer.answering(Answer.resetAfter(50_000))) {
            assertThatThrownBy(() -> put(way, server, large.length, buffers.slicesOf(large, 100_000))
                            .block())
                    .isInstanceOf(WebClientRequestException.class);

            buffers.assertAllReleased();
        }
    }

    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.S3ExchangeFilterLeakTest$Way#all")
    void whenItIsCancelledHalfway(Way way) throws Exception {
        TrackedBuffers buffers = new TrackedBuffers(way.allocator());
        CountDownLatch stalled = new CountDownLatch(1);
        Flux<DataBuffer> body = buffers.slicesOf(payload, 9_999)
                .take(20)
                .concatWith(Flux.<DataBuffer>never().doOnSubscribe(s -> stalled.countDown()));
        try (RecordingServer server = RecordingServer.answering(Answer.status(200))) {
            Disposable upload = put(way, server, LENGTH, body).subscribe();
            assertThat(stalled.await(20, TimeUnit.SECONDS)).isTrue();
            upload.dispose();

            buffers.assertAllReleased();
            assertNoneComplete(server.requests());
        }
    }

    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.S3ExchangeFilterLeakTest$Way#all")
    void whenItIsCancelledWhileTheServerDoesNotRead(Way way) throws Exception {
        TrackedBuffers buffers = new TrackedBuffers(way.allocator());
        byte[] large = new byte[30_000_000];
        CountDownLatch begun = new CountDownLatch(3);
        Flux<DataBuffer> body = buffers.slicesOf(large, 100_000).doOnNext(buffer -> begun.countDown());
        try (StalledServer server = new StalledServer()) {
            Disposable upload = way.client(server.endpoint())
                    .put()
                    .uri("/bucket/key")
                    .contentLength(large.length)
                    .body(body, DataBuffer.class)
                    .retrieve()
                    .toBodilessEntity()
                    .subscribe();
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
            upload.dispose();

            buffers.assertAllReleased();
        }
    }

    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.S3ExchangeFilterLeakTest$Way#all")
    void whenTheRequestCannotBeSigned(Way way) throws Exception {
        TrackedBuffers buffers = new TrackedBuffers(way.allocator());
        Mono<DataBuffer> body = Mono.fromSupplier(() -> buffers.of(payload, 0, 1000));
        try (RecordingServer server = RecordingServer.answering(Answer.status(200))) {
            assertThatThrownBy(() -> way.client(server.endpoint())
                            .put()
                            .uri("/bucket/key")
                            .header("x-amz-meta-a", "\u00fc")
                            .body(body, DataBuffer.class)
                            .retrieve()
                            .toBodilessEntity()
                            .block())
                    .hasRootCauseInstanceOf(IllegalArgumentException.class);

            buffers.assertAllReleased();
        }
    }

    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.S3ExchangeFilterLeakTest$Way#all")
    void withADiscardHookForSomethingElseAroundTheRequest(Way way) throws Exception {
        TrackedBuffers buffers = new TrackedBuffers(way.allocator());
        try (RecordingServer server = RecordingServer.answering(Answer.status(200))) {
            assertThatThrownBy(() -> put(way, server, 200_000, buffers.slicesOf(payload, 30_000))
                            .doOnDiscard(String.class, text -> {})
                            .block())
                    .hasRootCauseInstanceOf(DecodedLengthException.class);

            buffers.assertAllReleased();
        }
    }

    /** The slices of one buffer share its count: one release too many would free it under the others. */
    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.S3ExchangeFilterLeakTest$Way#all")
    void buffersThatShareACountAreReleasedOnceEach(Way way) throws Exception {
        TrackedBuffers buffers = new TrackedBuffers(way.allocator());
        ByteBuf whole = way.allocator().directBuffer(LENGTH).writeBytes(payload);
        Flux<DataBuffer> body = Flux.range(0, 40)
                .map(i -> (DataBuffer) buffers.factory().wrap(whole.retainedSlice(i * 10_000, 10_000)))
                .concatWith(Flux.error(new IOException("the disk is gone")));
        try (RecordingServer server = RecordingServer.answering(Answer.status(200))) {
            assertThatThrownBy(() -> put(way, server, 300_001, body)
                            .doOnDiscard(DataBuffer.class, DataBufferUtils::release)
                            .block())
                    .hasRootCauseInstanceOf(DecodedLengthException.class);

            TrackedBuffers.awaitRefCount(whole, 1);
            whole.release();
        }
    }

    /** As they come from a download by Jetty's client, or into a server on Jetty. */
    @ParameterizedTest
    @EnumSource
    void jettysBuffersAreReleasedOnceEach(Connector connector) throws Exception {
        AtomicInteger unreleased = new AtomicInteger();
        JettyDataBufferFactory factory = new JettyDataBufferFactory();
        Flux<DataBuffer> body = Flux.range(0, 40).map(i -> {
            unreleased.incrementAndGet();
            ByteBuffer bytes = ByteBuffer.wrap(payload, i * 10_000, 10_000).slice();
            return factory.wrap(Content.Chunk.from(bytes, false, unreleased::decrementAndGet));
        });
        try (RecordingServer server = RecordingServer.answering(Answer.status(200))) {
            for (Form form : Form.values()) {
                Way way = new Way(connector, ByteBufAllocator.DEFAULT, form);
                put(way, server, LENGTH, body).block();
                assertThat(unreleased).hasValue(0);

                assertThatThrownBy(() -> put(way, server, 200_000, body).block())
                        .hasRootCauseInstanceOf(DecodedLengthException.class);
                assertThat(unreleased).hasValue(0);
            }
            assertThat(server.requests().get(0).body()).isEqualTo(payload);
        }
    }

    @ParameterizedTest
    @EnumSource
    void holdsNoMoreThanTheConnectorAskedFor(Connector connector) throws Exception {
        // its buffers are used once, so each one's count is its own
        TrackedBuffers buffers = new TrackedBuffers(UnpooledByteBufAllocator.DEFAULT);
        int most = 128 + 2; // what Reactor Netty takes ahead, the encoder's one, and the one being made
        Queue<Long> held = new ConcurrentLinkedQueue<>();
        Flux<DataBuffer> body =
                buffers.slicesOf(new byte[2_000_000], 1000).doOnNext(buffer -> held.add(buffers.unreleased()));
        try (RecordingServer server = RecordingServer.answering(Answer.status(200))) {
            put(new Way(connector, ByteBufAllocator.DEFAULT, Form.ENCODED), server, 2_000_000, body)
                    .block();
        }

        assertThat(held).hasSize(2000).allSatisfy(count -> assertThat(count).isLessThanOrEqualTo(most));
    }

    @ParameterizedTest
    @EnumSource
    void anErrorPageIsStillReadAfterARefusalMidway(Connector connector) throws Exception {
        TrackedBuffers buffers = new TrackedBuffers(ByteBufAllocator.DEFAULT);
        Answer refusal = Answer.status(403).body("application/xml", "<Error><Code>AccessDenied</Code></Error>");
        try (RecordingServer server = RecordingServer.answering(refusal)) {
            assertThatThrownBy(() -> put(
                                    new Way(connector, ByteBufAllocator.DEFAULT, Form.ENCODED),
                                    server,
                                    LENGTH,
                                    buffers.slicesOf(payload, 9_999))
                            .block())
                    .isInstanceOfSatisfying(
                            WebClientResponseException.class,
                            e -> assertThat(S3Error.from(e).code()).isEqualTo("AccessDenied"));

            buffers.assertAllReleased();
        }
    }
}
