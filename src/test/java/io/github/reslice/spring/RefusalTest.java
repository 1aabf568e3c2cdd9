package io.github.reslice.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

class RefusalTest {

    @Test
    void writesWhatXmlCannotHaveAsText() throws Exception {
        HttpResponse<byte[]> answer =
                answer(exchange -> new Refusal(400, "InvalidRequest", "a<b>&c\0\uffff\ud83d\ude00").answer(exchange));

        assertThat(new String(answer.body(), UTF_8))
                .contains("<Message>a&lt;b&gt;&amp;c\ufffd\ufffd\ud83d\ude00</Message>");
    }

    @Test
    void takesBackWhatAControllerSaidOfItsAnswer() throws Exception {
        HttpResponse<byte[]> answer = answer(exchange -> {
            HttpHeaders headers = exchange.getResponse().getHeaders();
            headers.set("Content-Encoding", "gzip");
            headers.setETag("\"1\"");
            headers.setContentLength(1);
            return new Refusal(403, "AccessDenied", "no").answer(exchange);
        });

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.headers().map()).doesNotContainKeys("content-encoding", "etag");
        assertThat(new String(answer.body(), UTF_8)).endsWith("</Error>");
    }

    private static HttpResponse<byte[]> answer(WebHandler handler) throws Exception {
        DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(new ReactorHttpHandlerAdapter(
                        WebHttpHandlerBuilder.webHandler(handler).build()))
                .bindNow();
        try {
            URI uri = URI.create("http://127.0.0.1:" + server.port() + "/b/k");
            return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofByteArray());
        } finally {
            server.disposeNow();
        }
    }
}
