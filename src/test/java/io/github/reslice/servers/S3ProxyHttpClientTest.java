package io.github.reslice.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.AwsChunked;
import io.github.reslice.awschunked.DecodedLengthException;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.netty.ByteBufs;
import io.github.reslice.netty.NoLeaks;
import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.sigv4.SigV4;
import io.github.reslice.sigv4.SignedHeaders;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.netty.http.client.HttpClient;

/** Reactor Netty's own client sends what is encoded over its buffers. */
@OnServer(Peer.S3PROXY)
@ExtendWith(NoLeaks.class)
class S3ProxyHttpClientTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LENGTH = 3_000_001;
    private static final AwsChunked CHUNKED =
            AwsChunked.builder().checksum(ChecksumAlgorithm.CRC32C).build();

    private final S3Server server;
    private final URI uri;
    private final byte[] payload = new byte[LENGTH];

    S3ProxyHttpClientTest(S3Server server) {
        this.server = server;
        uri = URI.create(server.endpoint() + "/netty-" + UUID.randomUUID() + "/object");
        new Random(5).nextBytes(payload);
    }

    static Stream<ByteBufAllocator> allocators() {
        return Stream.of(ByteBufAllocator.DEFAULT, PooledByteBufAllocator.DEFAULT);
    }

    @BeforeEach
    void makeABucket() throws IOException {
        String bucket = uri.getPath().replaceFirst("/object$", "");
        assertThat(RawS3.put(server, bucket, new byte[0]).status()).isEqualTo(200);
    }

    private SigV4 sigv4() {
        return SigV4.builder().region(server.region()).build();
    }

    private AwsCredentials credentials() {
        return AwsCredentials.of(server.accessKey(), server.secretKey());
    }

    private Flux<ByteBuf> source(ByteBufAllocator allocator) {
        int size = 30_000;
        return Flux.range(0, (LENGTH + size - 1) / size)
                .map(i ->
                        allocator.directBuffer(size).writeBytes(payload, i * size, Math.min(size, LENGTH - i * size)));
    }

    private static int status(SignedHeaders signed, long contentLength, Flux<ByteBuf> body) {
        return HttpClient.create()
                .headers(headers -> {
                    signed.headers().forEach(headers::set);
                    headers.set("Content-Length", contentLength);
                })
                .put()
                .uri(signed.uri())
                .send(body)
                .responseSingle((response, content) ->
                        content.then().thenReturn(response.status().code()))
                .block(PATIENCE);
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void storesABodyOfKnownLength(ByteBufAllocator allocator) throws IOException {
        SignedHeaders signed = sigv4().sign("PUT", uri, CHUNKED.headers(LENGTH), credentials());

        int status = status(
                signed,
                CHUNKED.encodedLength(LENGTH),
                source(allocator).transform(ByteBufs.encode(CHUNKED, LENGTH, allocator)));

        assertThat(status).isEqualTo(200);
        assertThat(RawS3.get(server, uri.getPath()).body()).isEqualTo(payload);
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void storesASignedBody(ByteBufAllocator allocator) throws IOException {
        AwsChunked.Signed chunks = CHUNKED.signed();
        SignedHeaders seed = sigv4().sign("PUT", uri, chunks.headers(LENGTH), credentials());

        int status = status(
                seed, chunks.encodedLength(LENGTH), source(allocator).transform(ByteBufs.encode(chunks, LENGTH, seed)));

        assertThat(status).isEqualTo(200);
        assertThat(RawS3.get(server, uri.getPath()).body()).isEqualTo(payload);
    }

    @Test
    void failsWhereTheBodyIsLongerThanDeclared() throws IOException {
        long declared = LENGTH - 1;
        SignedHeaders signed = sigv4().sign("PUT", uri, CHUNKED.headers(declared), credentials());

        assertThatThrownBy(() -> status(
                        signed,
                        CHUNKED.encodedLength(declared),
                        source(ByteBufAllocator.DEFAULT).transform(ByteBufs.encode(CHUNKED, declared))))
                .hasStackTraceContaining(DecodedLengthException.class.getName());

        assertThat(RawS3.get(server, uri.getPath()).status()).isEqualTo(404);
    }
}
