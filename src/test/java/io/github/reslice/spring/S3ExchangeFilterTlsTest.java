package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.AwsChunked;
import io.github.reslice.servers.TestCertificate;
import io.github.reslice.sigv4.AwsCredentials;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.ConnectionProvider;

/**
 * How many TLS records an upload makes. Netty is told not to join what is written before one flush, which would make the number
 * hang on when the socket takes how much: so each piece is at least one record.
 */
class S3ExchangeFilterTlsTest {

    private static final int ONE_RECORD = 16_000;
    private static final int MORE_THAN_ONE_RECORD = 16 * 1024; // of the JDK's, which hold 16,367 bytes
    private static final int BUFFERS_A_CHUNK = 8;
    private static final int CHUNKS = 9;
    private static final int LAST_CHUNK = 1; // without data

    private static SslContext clientTls;
    private static DisposableServer server;
    private static final AtomicReference<TlsRecordCounter> counter =
            new AtomicReference<>(); // one connection at a time

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        TestCertificate certificate = TestCertificate.make(directory);
        clientTls = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .protocols("TLSv1.3")
                .trustManager(certificate.trust())
                .build();
        SslContext serverTls = SslContextBuilder.forServer(certificate.keys())
                .sslProvider(SslProvider.JDK)
                .build();
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .secure(provider -> provider.sslContext(serverTls))
                .doOnChannelInit(
                        (observer, channel, address) -> channel.pipeline().addFirst(new TlsRecordCounter()))
                .doOnConnection(connection ->
                        counter.set(connection.channel().pipeline().get(TlsRecordCounter.class)))
                .handle((request, response) -> request.receive()
                        .then(Mono.defer(() -> response.header(
                                        "x-records", Long.toString(counter.get().records()))
                                .send()
                                .then())))
                .bindNow();
    }

    @AfterAll
    static void stop() {
        server.disposeNow();
    }

    @Test
    void makesOneTlsRecordMoreForEachChunk() {
        assertThat(recordsOf(encoding(ONE_RECORD, 0), ONE_RECORD))
                .isEqualTo(recordsOf(WebClient.builder(), ONE_RECORD) + CHUNKS + LAST_CHUNK);
    }

    @Test
    void makesNoTlsRecordMoreForAChunkWhoseHeaderIsJoinedWithWhatWouldNotFillOne() {
        assertThat(recordsOf(encoding(MORE_THAN_ONE_RECORD, 256), MORE_THAN_ONE_RECORD))
                .isEqualTo(recordsOf(WebClient.builder(), MORE_THAN_ONE_RECORD) + LAST_CHUNK);
    }

    private static WebClient.Builder encoding(int bufferSize, int joinUpTo) {
        return WebClient.builder()
                .filter(S3ExchangeFilter.builder()
                        .credentials(AwsCredentials.of("access", "secret"))
                        .region("us-east-1")
                        .chunked(AwsChunked.builder()
                                .chunkSize(BUFFERS_A_CHUNK * bufferSize)
                                .build())
                        .joinUpTo(joinUpTo)
                        .build());
    }

    private static long recordsOf(WebClient.Builder builder, int bufferSize) {
        HttpClient oneConnectionEach = HttpClient.create(ConnectionProvider.newConnection())
                .secure(provider ->
                        provider.sslContext(clientTls).handlerConfigurator(handler -> handler.setWrapDataSize(0)));
        return Long.parseLong(builder.clientConnector(new ReactorClientHttpConnector(oneConnectionEach))
                .build()
                .put()
                .uri("https://127.0.0.1:" + server.port() + "/bucket/key")
                .contentLength((long) CHUNKS * BUFFERS_A_CHUNK * bufferSize)
                .body(
                        Flux.range(0, CHUNKS * BUFFERS_A_CHUNK).map(i -> ByteBuffer.allocate(bufferSize)),
                        ByteBuffer.class)
                .retrieve()
                .toBodilessEntity()
                .mapNotNull(response -> response.getHeaders().getFirst("x-records"))
                .blockOptional()
                .orElseThrow());
    }
}
