package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.OneShotBodyException;
import io.github.reslice.awschunked.DecodedLengthException;
import io.github.reslice.awschunked.ReferenceDecoder;
import io.github.reslice.servers.Answer;
import io.github.reslice.servers.Connector;
import io.github.reslice.servers.RecordedRequest;
import io.github.reslice.servers.RecordingServer;
import io.github.reslice.sigv4.AwsCredentials;
import io.netty.buffer.ByteBufAllocator;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.function.client.ClientResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.retry.Retry;

@Timeout(30)
class S3ExchangeFilterRetryTest {

    private final byte[] payload = new byte[300_000];
    private final TrackedBuffers buffers = new TrackedBuffers(ByteBufAllocator.DEFAULT);
    private RecordingServer server;

    @BeforeEach
    void start() throws IOException {
        new Random(3).nextBytes(payload);
        server = RecordingServer.answering(Answer.status(503), Answer.status(503), Answer.status(200));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private static S3ExchangeFilter.Builder filter() {
        return S3ExchangeFilter.builder()
                .credentials(AwsCredentials.of("first", "secret"))
                .region("us-east-1");
    }

    private Mono<ResponseEntity<Void>> put(
            Connector connector, S3ExchangeFilter.Builder filter, Flux<DataBuffer> body) {
        return connector
                .client(server.endpoint(), filter.build())
                .put()
                .uri("/bucket/key")
                .contentLength(payload.length)
                .body(body, DataBuffer.class)
                .retrieve()
                .toBodilessEntity()
                .retryWhen(Retry.max(2));
    }

    @ParameterizedTest
    @EnumSource
    void encodesFromTheStart(Connector connector) throws InterruptedException {
        put(connector, filter(), buffers.slicesOf(payload, 9_999)).block();

        assertThat(server.requests())
                .hasSize(3)
                .allSatisfy(request -> assertThat(
                                ReferenceDecoder.decode(request.body()).payload())
                        .isEqualTo(payload));
        buffers.assertAllReleased();
    }

    @ParameterizedTest
    @EnumSource
    void encodesFromTheStartAfterASourceThatFailedHalfway(Connector connector) throws InterruptedException {
        AtomicInteger attempts = new AtomicInteger();
        Flux<DataBuffer> body = Flux.defer(() -> attempts.incrementAndGet() == 1
                ? buffers.slicesOf(payload, 9_999).take(7).concatWith(Flux.error(new IOException("once")))
                : buffers.slicesOf(payload, 9_999));

        put(connector, filter(), body).onErrorComplete().block();

        RecordedRequest last = server.requests().get(server.requests().size() - 1);
        assertThat(attempts).hasValue(3);
        assertThat(ReferenceDecoder.decode(last.body()).payload()).isEqualTo(payload);
        buffers.assertAllReleased();
    }

    @ParameterizedTest
    @EnumSource
    void signsWithCredentialsAndTimeAskedAnew(Connector connector) {
        AtomicInteger asked = new AtomicInteger();
        Mono<AwsCredentials> credentials =
                Mono.fromSupplier(() -> AwsCredentials.of("key" + asked.incrementAndGet(), "secret"));

        put(connector, filter().credentials(credentials).clock(new TickingClock()), buffers.slicesOf(payload, 9_999))
                .block();

        assertThat(server.requests())
                .extracting(request -> new WireSignature(request).accessKey())
                .containsExactly("key1", "key2", "key3");
        assertThat(server.requests())
                .extracting(request -> request.header("x-amz-date"))
                .containsExactly("20260101T000001Z", "20260101T000002Z", "20260101T000003Z");
        assertThat(server.requests())
                .allSatisfy(request -> assertThat(new WireSignature(request).sent())
                        .isEqualTo(new WireSignature(request).expected("secret")));
    }

    @ParameterizedTest
    @EnumSource
    void aBodyThatRefusesASecondSubscriberFailsAndSaysWhy(Connector connector) throws InterruptedException {
        Sinks.Many<DataBuffer> sink = Sinks.many().unicast().onBackpressureBuffer();
        buffers.slicesOf(payload, 9_999)
                .subscribe(buffer -> sink.tryEmitNext(buffer).orThrow());
        sink.tryEmitComplete().orThrow();

        assertThatThrownBy(() -> put(connector, filter(), sink.asFlux()).block())
                .hasStackTraceContaining(OneShotBodyException.class.getName())
                .hasStackTraceContaining("Flux.defer")
                .hasStackTraceContaining("single Subscriber");

        buffers.assertAllReleased();
        assertThat(server.requests().subList(1, server.requests().size()))
                .allSatisfy(request -> assertThat(request.body()).isEmpty());
    }

    private void assertFailsAndSaysWhy(Connector connector, Flux<DataBuffer> body) {
        assertThatThrownBy(() -> put(connector, filter(), body).block())
                .hasStackTraceContaining(OneShotBodyException.class.getName())
                .hasStackTraceContaining("Flux.defer");
        assertThat(server.requests().get(0).body()).isNotEmpty();
        assertThat(server.requests().subList(1, server.requests().size()))
                .allSatisfy(request -> assertThat(request.body()).isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void aPooledBufferThatIsGoneFailsAndSaysWhy(Connector connector) throws InterruptedException {
        assertFailsAndSaysWhy(connector, Flux.just(buffers.of(payload, 0, payload.length)));

        buffers.assertAllReleased();
    }

    @ParameterizedTest
    @EnumSource
    void aChannelThatIsClosedFailsAndSaysWhy(Connector connector, @TempDir Path folder) throws IOException {
        FileChannel once = FileChannel.open(Files.write(folder.resolve("file.bin"), payload));

        assertFailsAndSaysWhy(connector, DataBufferUtils.readByteChannel(() -> once, buffers.factory(), 9_999));
    }

    @ParameterizedTest
    @EnumSource
    void aStreamThatIsClosedFailsAndSaysWhy(Connector connector) {
        InputStream once = new BufferedInputStream(new ByteArrayInputStream(payload));

        assertFailsAndSaysWhy(connector, DataBufferUtils.readInputStream(() -> once, buffers.factory(), 9_999));
    }

    @ParameterizedTest
    @EnumSource
    void aBodyThatHasNothingLeftFailsAndSaysWhy(Connector connector) throws InterruptedException {
        InputStream once = new ByteArrayInputStream(payload);
        Flux<DataBuffer> body = DataBufferUtils.readInputStream(() -> once, buffers.factory(), 9_999);

        assertThatThrownBy(() -> put(connector, filter(), body).block())
                .hasStackTraceContaining(DecodedLengthException.class.getName())
                .hasStackTraceContaining("read only once");

        assertThat(server.requests().subList(1, server.requests().size()))
                .allSatisfy(request -> assertThat(request.body()).isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void anErrorHalfwayIsNotTakenForAOneShotBody(Connector connector) {
        Flux<DataBuffer> body =
                buffers.slicesOf(payload, 9_999).take(3).concatWith(Flux.error(new IllegalStateException("halfway")));

        assertThatThrownBy(() -> put(connector, filter(), body).block())
                .hasStackTraceContaining("halfway")
                .satisfies(e -> {
                    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                        assertThat(cause).isNotInstanceOf(OneShotBodyException.class);
                    }
                });
    }

    /** Of its own accord only Reactor Netty makes the request anew then. */
    @ParameterizedTest
    @EnumSource
    void aFilterBehindItCannotSendTheSameRequestAgain(Connector connector) throws InterruptedException {
        AtomicInteger attempts = new AtomicInteger();
        Flux<DataBuffer> body = Flux.defer(() -> attempts.incrementAndGet() == 1
                ? buffers.slicesOf(payload, 9_999).take(7).concatWith(Flux.error(new IOException("once")))
                : buffers.slicesOf(payload, 9_999));
        Mono<ResponseEntity<Void>> put = connector
                .client(server.endpoint(), filter().build())
                .mutate()
                .filter((request, next) -> next.exchange(request).retry(1))
                .build()
                .put()
                .uri("/bucket/key")
                .contentLength(payload.length)
                .body(body, DataBuffer.class)
                .exchangeToMono(ClientResponse::toBodilessEntity);

        if (connector == Connector.REACTOR_NETTY) {
            assertThat(put.block()).isNotNull();
            assertThat(attempts).hasValue(2);
        } else {
            assertThatThrownBy(put::block)
                    .hasRootCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("must come before the S3ExchangeFilter");
            assertThat(attempts).hasValue(1);
        }
        buffers.assertAllReleased();
    }
}
