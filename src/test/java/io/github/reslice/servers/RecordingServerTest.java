package io.github.reslice.servers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordingServerTest {

    private static final byte[] LARGE = new byte[16 * 1024 * 1024];

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void keepsTheRequestAsItWas() throws Exception {
        try (RecordingServer server = RecordingServer.answering(Answer.status(200))) {
            RawHttp.send(
                    "PUT",
                    URI.create(server.endpoint() + "/a//b?c"),
                    Map.of("X-Name", "value", "Content-Length", "5"),
                    "hello".getBytes(UTF_8));

            RecordedRequest request = server.requests().get(0);
            assertThat(request.line()).isEqualTo("PUT /a//b?c HTTP/1.1");
            assertThat(request.head()).contains("\r\nX-Name: value\r\n").endsWith("\r\n\r\n");
            assertThat(request.header("x-name")).isEqualTo("value");
            assertThat(request.header("x-other")).isNull();
            assertThat(request.body()).asString().isEqualTo("hello");
        }
    }

    @Test
    void keepsAChunkedTransferWithoutItsFraming() throws Exception {
        try (RecordingServer server = RecordingServer.answering(Answer.status(200))) {
            put(server, BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(LARGE)));

            assertThat(server.requests().get(0).header("transfer-encoding")).isEqualTo("chunked");
            assertThat(server.requests().get(0).body()).isEqualTo(LARGE);
        }
    }

    @Test
    void answersInOrderAndGoesOnWithTheLast() throws Exception {
        try (RecordingServer server = RecordingServer.answering(
                Answer.status(503).body("application/xml", "<Error/>"),
                Answer.status(200).header("ETag", "x"))) {
            HttpResponse<String> first = put(server, BodyPublishers.ofString("1"));
            HttpResponse<String> second = put(server, BodyPublishers.ofString("2"));
            HttpResponse<String> third = put(server, BodyPublishers.ofString("3"));

            assertThat(first.statusCode()).isEqualTo(503);
            assertThat(first.body()).isEqualTo("<Error/>");
            assertThat(second.headers().firstValue("etag")).contains("x");
            assertThat(third.statusCode()).isEqualTo(200);
            assertThat(server.requests()).hasSize(3);
        }
    }

    @Test
    void answersWhileTheBodyIsOnItsWay() throws Exception {
        try (RecordingServer server =
                RecordingServer.answering(Answer.status(403).after(1000))) {
            RawHttp.Response response = RawHttp.send(
                    "PUT", server.endpoint().resolve("/k"), Map.of("Content-Length", "" + LARGE.length), LARGE);

            assertThat(response.status()).isEqualTo(403);
            assertThat(server.requests().get(0).body()).hasSize(1000);
        }
    }

    @Test
    void resetsTheConnectionAmidTheBody() throws Exception {
        try (RecordingServer server = RecordingServer.answering(Answer.resetAfter(1000), Answer.status(200))) {
            assertThatThrownBy(() -> put(server, BodyPublishers.ofByteArray(LARGE)))
                    .isInstanceOf(IOException.class);
            assertThat(server.requests().get(0).body()).hasSize(1000);
            assertThat(put(server, BodyPublishers.ofString("again")).statusCode())
                    .isEqualTo(200);
        }
    }

    private HttpResponse<String> put(RecordingServer server, BodyPublisher body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(server.endpoint().resolve("/k"))
                .PUT(body)
                .build();
        return client.send(request, BodyHandlers.ofString());
    }
}
