package io.github.reslice.sigv4;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The recipe for the JDK's client: all headers are taken, and what arrives verifies. */
class JavaNetHttpTest {

    private static final String SECRET = "testing";
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC);

    private final BlockingQueue<String> computed = new ArrayBlockingQueue<>(1);
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            computed.add(signatureOf(exchange));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void whatArrivesIsWhatWasSigned() throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort()
                + "/bucket//a/../b/./c%20d+(!)'*~\u00e9%2e%25?uploadId=a+b/c&partNumber=1&bare");
        Map<String, String> headers = Map.of(
                "Content-Length", "5",
                "Transfer-Encoding", "chunked",
                "Expect", "100-continue",
                "x-amz-meta-name", "  a   b ");

        SignedHeaders seed = SigV4.builder()
                .region("us-east-1")
                .clock(CLOCK)
                .build()
                .sign("PUT", uri, headers, AwsCredentials.of("test:tester", SECRET));
        HttpRequest.Builder request =
                HttpRequest.newBuilder(seed.uri()).PUT(HttpRequest.BodyPublishers.ofString("hello"));
        seed.headers().forEach(request::header);
        HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.discarding());

        assertThat(computed.take()).isEqualTo(seed.signature());
    }

    /** As a server does it: from the request line and the headers that arrived, the signed ones. */
    private static String signatureOf(HttpExchange exchange) {
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        String[] names =
                authorization.replaceFirst(".*SignedHeaders=([^,]*),.*", "$1").split(";", -1);
        Map<String, String> signed = new TreeMap<>();
        for (String name : names) {
            signed.put(name, String.join(",", exchange.getRequestHeaders().get(name)));
        }
        RequestTarget target = RequestTarget.of(URI.create("http://host" + exchange.getRequestURI()));
        Scope scope = new Scope("20260102", "us-east-1", "s3");
        return SigningKey.derive(SECRET, scope)
                .sign(CanonicalRequest.of("PUT", target, signed, "UNSIGNED-PAYLOAD")
                        .stringToSign(signed.get("x-amz-date"), scope));
    }
}
