package io.github.reslice.servers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.spring.S3ExchangeFilter;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.reactive.HttpComponentsClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** What the HTTP clients do by themselves, as they come, and a filter cannot change: README says how to set them. */
@Timeout(30)
class ConnectorTraitsTest {

    private static WebClient client(Connector connector, URI endpoint) {
        return connector.client(
                endpoint,
                S3ExchangeFilter.builder()
                        .credentials(AwsCredentials.of("test", "test"))
                        .region("us-east-1")
                        .build());
    }

    private static ResponseEntity<Void> put(Connector connector, RecordingServer server) {
        return client(connector, server.endpoint())
                .put()
                .uri("/bucket/key")
                .bodyValue("hello world")
                .retrieve()
                .toBodilessEntity()
                .block();
    }

    @ParameterizedTest
    @CsvSource({"REACTOR_NETTY, 128", "JDK, 1", "JETTY, 32", "APACHE, 5"})
    void asksForSoManyPiecesAhead(Connector connector, long pieces) throws IOException {
        AtomicLong first = new AtomicLong();
        // nothing of the filter is between the body and the connector then
        S3ExchangeFilter filter = S3ExchangeFilter.builder()
                .credentials(AwsCredentials.of("test", "test"))
                .region("us-east-1")
                .plainBodies()
                .transferEncodingChunked()
                .build();
        Flux<ByteBuffer> body = BodyKind.byteBuffers(new byte[5]).doOnRequest(n -> first.compareAndSet(0, n));
        try (RecordingServer server = RecordingServer.answering(Answer.status(200))) {
            connector
                    .client(server.endpoint(), filter)
                    .put()
                    .uri("/bucket/key")
                    .body(body, ByteBuffer.class)
                    .retrieve()
                    .toBodilessEntity()
                    .block();
        }

        assertThat(first).hasValue(pieces);
    }

    @ParameterizedTest
    @EnumSource
    void allButTheJdksUnpackGzip(Connector connector) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(zipped)) {
            out.write("hello".getBytes(UTF_8));
        }
        Answer answer = Answer.status(200).header("Content-Encoding", "gzip").body("text/plain", zipped.toByteArray());
        try (RecordingServer server = RecordingServer.answering(answer)) {
            byte[] got = client(connector, server.endpoint())
                    .get()
                    .uri("/bucket/key")
                    .retrieve()
                    .bodyToMono(byte[].class)
                    .block();

            assertThat(got).isEqualTo(connector == Connector.JDK ? zipped.toByteArray() : "hello".getBytes(UTF_8));
        }
    }

    /** Apache's fails then, since it cannot send the body again. Jetty's can or fails, as it happens. */
    @ParameterizedTest
    @EnumSource
    void jettysAndApachesFollowRedirects(Connector connector) throws IOException {
        Answer elsewhere = Answer.status(307).header("Location", "/bucket/other");
        try (RecordingServer server = RecordingServer.answering(elsewhere, Answer.status(200))) {
            AtomicInteger status = new AtomicInteger();
            Throwable thrown = catchThrowable(
                    () -> status.set(put(connector, server).getStatusCode().value()));

            switch (connector) {
                case REACTOR_NETTY, JDK -> assertThat(status).hasValue(307);
                case JETTY -> assertThat(status.get()).isIn(0, 200);
                case APACHE -> assertThat(thrown).isInstanceOf(WebClientRequestException.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void apachesTriesAgainWhatHasNoBody(Connector connector) throws IOException {
        try (RecordingServer server = RecordingServer.answering(Answer.status(503))) {
            Throwable thrown = catchThrowable(() -> client(connector, server.endpoint())
                    .put()
                    .uri("/bucket/key")
                    .retrieve()
                    .toBodilessEntity()
                    .block());

            assertThat(thrown).isInstanceOf(WebClientResponseException.ServiceUnavailable.class);
            assertThat(server.requests()).hasSize(connector == Connector.APACHE ? 2 : 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void noneTriesABodyAgain(Connector connector) throws IOException {
        try (RecordingServer server = RecordingServer.answering(Answer.status(503))) {
            Throwable thrown = catchThrowable(() -> put(connector, server));

            assertThat(thrown).isInstanceOf(WebClientResponseException.ServiceUnavailable.class);
            assertThat(server.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void jettysAddsAContentTypeWithoutOne(Connector connector) throws IOException {
        try (RecordingServer server = RecordingServer.answering(Answer.status(200))) {
            client(connector, server.endpoint())
                    .put()
                    .uri("/bucket/key")
                    .contentLength(5)
                    .body(BodyKind.byteBuffers(new byte[5]), ByteBuffer.class)
                    .retrieve()
                    .toBodilessEntity()
                    .block();

            assertThat(server.requests().get(0).header("content-type"))
                    .isEqualTo(connector == Connector.JETTY ? "application/octet-stream" : null);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "APACHE")
    void othersThanApachesCloseAConnectionWhoseResponseIsNotWaitedFor(Connector connector) throws IOException {
        try (ServerSocket listener = listener()) {
            Disposable download = get(client(connector, endpoint(listener)));
            try (Socket socket = accept(listener)) {
                BufferedReader in = reader(socket);
                readHead(in);

                download.dispose();

                assertThat(in.read()).isNegative();
            }
        }
    }

    /** Of a request with a body, which the filter ends, it closes it: {@code S3ExchangeFilterBrokenBodyTest}. */
    @Test
    void apachesWaitsForAResponseThatNobodyElseWaitsFor() throws IOException {
        CloseableHttpAsyncClient ofOneConnection = HttpAsyncClients.custom()
                .setConnectionManager(PoolingAsyncClientConnectionManagerBuilder.create()
                        .setMaxConnPerRoute(1)
                        .build())
                .build();
        try (HttpComponentsClientHttpConnector connector = new HttpComponentsClientHttpConnector(ofOneConnection);
                ServerSocket listener = listener()) {
            WebClient client = WebClient.builder()
                    .clientConnector(connector)
                    .baseUrl(endpoint(listener).toString())
                    .build();
            Disposable download = get(client);
            try (Socket socket = accept(listener)) {
                BufferedReader in = reader(socket);
                readHead(in);

                download.dispose();
                socket.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(ISO_8859_1));

                Disposable next = get(client);
                assertThat(readHead(in)).startsWith("GET ");
                next.dispose();
            }
        }
    }

    private static ServerSocket listener() throws IOException {
        ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        listener.setSoTimeout(20_000);
        return listener;
    }

    private static URI endpoint(ServerSocket listener) {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    private static Socket accept(ServerSocket listener) throws IOException {
        Socket socket = listener.accept();
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
    }

    private static Disposable get(WebClient client) {
        return client.get().uri("/bucket/key").retrieve().toBodilessEntity().subscribe(entity -> {}, e -> {});
    }

    /** The first line of a request without a body, which is read. */
    private static String readHead(BufferedReader in) throws IOException {
        String first = in.readLine();
        String line = first;
        while (!line.isEmpty()) {
            line = in.readLine();
        }
        return first;
    }
}
