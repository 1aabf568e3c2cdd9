package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.AwsChunked;
import io.github.reslice.awschunked.ReferenceDecoder;
import io.github.reslice.servers.Connector;
import io.github.reslice.servers.RecordedRequest;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.BodyInserters;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Bodies of every kind and of no kind, and their lengths. */
class S3ExchangeFilterBodyTest extends RecordedExchanges {

    @ParameterizedTest
    @EnumSource
    void encodesAFluxOfByteBuffers(Connector connector) {
        RecordedRequest request = put(
                connector, filter(), put -> put.contentLength(payload.length).body(byteBuffers(), ByteBuffer.class));

        assertEncoded(request, payload);
    }

    @ParameterizedTest
    @EnumSource
    void leavesTheCallersByteBuffersAsTheyWere(Connector connector) {
        ByteBuffer lent = ByteBuffer.wrap(payload, 5, 200_000);

        for (int i = 0; i < 2; i++) {
            RecordedRequest request =
                    put(connector, filter(), put -> put.contentLength(200_000).body(Flux.just(lent), ByteBuffer.class));
            byte[] expected = new byte[200_000];
            lent.get(5, expected);
            assertEncoded(request, expected);
        }

        assertThat(lent.position()).isEqualTo(5);
        assertThat(lent.remaining()).isEqualTo(200_000);
    }

    @ParameterizedTest
    @EnumSource
    void encodesPooledBuffers(Connector connector) throws InterruptedException {
        TrackedBuffers buffers = new TrackedBuffers(PooledByteBufAllocator.DEFAULT);

        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.contentLength(payload.length).body(buffers.slicesOf(payload, 7_777), DataBuffer.class));

        assertEncoded(request, payload);
        buffers.assertAllReleased();
    }

    @ParameterizedTest
    @EnumSource
    void encodesBuffersOfNettysDefaultAllocatorThatSpanManyChunks(Connector connector) throws InterruptedException {
        TrackedBuffers buffers = new TrackedBuffers(ByteBufAllocator.DEFAULT);
        AwsChunked small = AwsChunked.builder().chunkSize(8192).build();

        RecordedRequest request = put(
                connector,
                filter().chunked(small),
                put -> put.contentLength(payload.length).body(buffers.slicesOf(payload, 100_000), DataBuffer.class));

        assertEncoded(request, payload);
        buffers.assertAllReleased();
    }

    @ParameterizedTest
    @EnumSource
    void sendsTheSameHeapDataBufferTwice(Connector connector) {
        DataBuffer lent = DefaultDataBufferFactory.sharedInstance.wrap(payload);

        for (int i = 0; i < 2; i++) {
            RecordedRequest request = put(
                    connector,
                    filter(),
                    put -> put.contentLength(payload.length).body(Flux.just(lent), DataBuffer.class));
            assertEncoded(request, payload);
        }
    }

    @ParameterizedTest
    @EnumSource
    void joinsTheSameSmallHeapDataBuffersTwice(Connector connector) {
        List<DataBuffer> lent = new ArrayList<>();
        for (int from = 0; from < payload.length; from += 1000) {
            byte[] part = Arrays.copyOfRange(payload, from, Math.min(from + 1000, payload.length));
            lent.add(DefaultDataBufferFactory.sharedInstance.wrap(part));
        }

        for (int i = 0; i < 2; i++) {
            RecordedRequest request = put(
                    connector,
                    filter().joinUpTo(16 * 1024),
                    put -> put.contentLength(payload.length).body(Flux.fromIterable(lent), DataBuffer.class));
            assertEncoded(request, payload);
        }
    }

    @ParameterizedTest
    @EnumSource
    void encodesAResource(Connector connector, @TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("file.bin"), payload);

        RecordedRequest request =
                put(connector, filter(), put -> put.body(BodyInserters.fromResource(new FileSystemResource(file))));

        assertEncoded(request, payload);
    }

    @ParameterizedTest
    @EnumSource
    void encodesAString(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.contentType(MediaType.TEXT_PLAIN).bodyValue("hello world"));

        assertEncoded(request, "hello world".getBytes(StandardCharsets.UTF_8));
        assertThat(new WireSignature(request).signedHeaders()).contains("content-type");
    }

    @ParameterizedTest
    @EnumSource
    void encodesJson(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.contentType(MediaType.APPLICATION_JSON).bodyValue(Map.of("a", 1)));

        assertEncoded(request, "{\"a\":1}".getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource
    void encodesAStreamThatSpringFlushesLineByLine(Connector connector) {
        byte[] lines = "{\"a\":1}\n{\"a\":2}\n".getBytes(StandardCharsets.UTF_8);

        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.contentType(MediaType.APPLICATION_NDJSON)
                        .contentLength(lines.length)
                        .body(Flux.just(Map.of("a", 1), Map.of("a", 2)), Map.class));

        assertEncoded(request, lines);
    }

    @ParameterizedTest
    @EnumSource
    void encodesAnEmptyStreamOfLengthZero(Connector connector) {
        RecordedRequest request =
                put(connector, filter(), put -> put.contentLength(0).body(Flux.empty(), ByteBuffer.class));

        assertEncoded(request, new byte[0]);
    }

    @ParameterizedTest
    @EnumSource
    void putsAnEmptyObjectWithoutABody(Connector connector) {
        RecordedRequest request = put(connector, filter(), put -> put);

        assertThat(request.header("content-length")).isEqualTo("0");
        assertThat(request.header("x-amz-content-sha256")).isEqualTo(HASH_OF_NOTHING);
        assertThat(request.header("content-encoding")).isNull();
        assertThat(request.body()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void sendsAnEmptyPlainBodyWithItsLength(Connector connector) {
        RecordedRequest request = put(
                connector, filter().plainBodies(), put -> put.contentLength(0).body(Flux.empty(), ByteBuffer.class));

        assertThat(request.header("content-length")).isEqualTo("0");
        assertThat(request.header("transfer-encoding")).isNull();
        assertThat(request.header("x-amz-content-sha256")).isEqualTo(HASH_OF_NOTHING);
    }

    @ParameterizedTest
    @EnumSource
    void refusesAPutWithoutABodyThatDeclaresALength(Connector connector) {
        assertThatThrownBy(() -> put(connector, filter(), put -> put.contentLength(5)))
                .hasStackTraceContaining("5 bytes were declared, 0 had come");
    }

    @ParameterizedTest
    @EnumSource
    void givesALengthOfZeroAndDoesNotSignItWithoutABody(Connector connector) {
        for (HttpMethod method : List.of(HttpMethod.PUT, HttpMethod.POST, HttpMethod.PATCH)) {
            RecordedRequest request =
                    sent(client(connector, filter()).method(method).uri("/bucket/key"));

            boolean leftOut = connector == Connector.JETTY && method.equals(HttpMethod.PATCH);
            assertThat(request.header("content-length")).isEqualTo(leftOut ? null : "0");
            assertThat(new WireSignature(request).signedHeaders()).doesNotContain("content-length");
        }
    }

    @ParameterizedTest
    @EnumSource
    void sendsNoTransferEncodingBesideALength(Connector connector) {
        byte[] bytes = "hello world".getBytes(StandardCharsets.UTF_8);

        RecordedRequest encoded = put(
                connector,
                filter(),
                put -> put.header("Transfer-Encoding", "chunked").bodyValue("hello world"));
        RecordedRequest plain = put(
                connector,
                filter().plainBodies(),
                put -> put.header("Transfer-Encoding", "chunked").bodyValue("hello world"));
        RecordedRequest empty = put(connector, filter(), put -> put.header("Transfer-Encoding", "chunked"));

        assertEncoded(encoded, bytes);
        assertPlain(plain, bytes);
        assertThat(plain.header("transfer-encoding")).isNull();
        assertThat(empty.header("transfer-encoding")).isNull();
        assertThat(empty.header("content-length")).isEqualTo("0");
    }

    @ParameterizedTest
    @EnumSource
    void refusesABodyOfUnknownLengthBeforeAnythingIsSent(Connector connector) {
        assertThatThrownBy(() -> put(connector, filter(), put -> put.body(byteBuffers(), ByteBuffer.class)))
                .hasRootCauseInstanceOf(UnknownLengthException.class)
                .hasStackTraceContaining("contentLength(n)");
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void doesNotWaitForABodyOfUnknownLengthThatIsNotThere(Connector connector) {
        assertThatThrownBy(() -> client(connector, filter())
                        .put()
                        .uri("/bucket/key")
                        .body(BodyInserters.fromDataBuffers(Mono.never()))
                        .retrieve()
                        .toBodilessEntity()
                        .block(Duration.ofSeconds(20)))
                .hasRootCauseInstanceOf(UnknownLengthException.class);
    }

    @ParameterizedTest
    @EnumSource
    void doesNotMakeABodyThatItRefuses(Connector connector) {
        TrackedBuffers buffers = new TrackedBuffers(PooledByteBufAllocator.DEFAULT);
        Mono<DataBuffer> body = Mono.fromSupplier(() -> buffers.of(payload, 0, 1000));

        assertThatThrownBy(() -> put(connector, filter(), put -> put.body(BodyInserters.fromDataBuffers(body))))
                .hasRootCauseInstanceOf(UnknownLengthException.class);
        assertThat(buffers.count()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void sendsABodyOfUnknownLengthByChunkedTransferIfToldSo(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter().transferEncodingChunked(),
                put -> put.header("Transfer-Encoding", "chunked")
                        .header("Content-Length", "-1")
                        .header("x-amz-decoded-content-length", "7")
                        .body(byteBuffers(), ByteBuffer.class));

        assertThat(request.headers("transfer-encoding")).containsExactly("chunked");
        assertThat(request.header("content-length")).isNull();
        assertThat(request.header("x-amz-decoded-content-length")).isNull();
        assertThat(new WireSignature(request).signedHeaders()).doesNotContain("transfer-encoding");
        assertThat(ReferenceDecoder.decode(request.body()).payload()).isEqualTo(payload);
    }

    @ParameterizedTest
    @EnumSource
    void sendsAKnownLengthEvenIfChunkedTransferIsAllowed(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter().transferEncodingChunked(),
                put -> put.contentLength(payload.length).body(byteBuffers(), ByteBuffer.class));

        assertEncoded(request, payload);
    }
}
