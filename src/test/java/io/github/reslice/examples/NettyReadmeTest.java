package io.github.reslice.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.AwsChunked;
import io.github.reslice.netty.ByteBufs;
import io.github.reslice.servers.OnServer;
import io.github.reslice.servers.Peer;
import io.github.reslice.servers.S3Server;
import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.sigv4.SigV4;
import io.github.reslice.sigv4.SignedHeaders;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/** The README's recipe for Reactor Netty, whose client has the name of the JDK's in {@link ReadmeTest}. */
@OnServer(Peer.S3PROXY)
class NettyReadmeTest {

    private static final Path SOURCE = Path.of("src/test/java/io/github/reslice/examples/NettyReadmeTest.java");

    private final AwsChunked chunked = AwsChunked.builder().build();
    private final Flux<ByteBuf> byteBufs =
            Flux.defer(() -> Flux.just(Unpooled.copiedBuffer("hello ", UTF_8), Unpooled.copiedBuffer("world", UTF_8)));
    private final long length = 11;

    @Test
    void showsCodeThatCompilesHere() throws IOException {
        assertThat(ReadmeTest.snippetsIn(Files.readString(Path.of("README.md")), ReadmeTest.IN_README))
                .containsAllEntriesOf(ReadmeTest.snippetsIn(Files.readString(SOURCE), ReadmeTest.IN_SOURCE));
    }

    @Test
    void recipeUploads(S3Server server) {
        SigV4 sigv4 = SigV4.builder().region(server.region()).build();
        AwsCredentials credentials = AwsCredentials.of(server.accessKey(), server.secretKey());
        URI bucket = URI.create(server.endpoint() + "/readme-netty");
        SignedHeaders toCreate = sigv4.sign("PUT", bucket, Map.of(), credentials);
        HttpClient.create()
                .headers(headers -> toCreate.headers().forEach(headers::set))
                .put()
                .uri(toCreate.uri())
                .response()
                .block();

        HttpResponseStatus status = upload(
                        sigv4.sign("PUT", URI.create(bucket + "/key"), chunked.headers(length), credentials))
                .block();

        assertThat(status).isEqualTo(HttpResponseStatus.OK);
    }

    private Mono<HttpResponseStatus> upload(SignedHeaders signed) {
        // snippet: netty
        Flux<ByteBuf> body = byteBufs.transform(ByteBufs.encode(chunked, length));

        Mono<HttpResponseStatus> status = HttpClient.create()
                .headers(headers -> {
                    signed.headers().forEach(headers::set);
                    headers.set("Content-Length", chunked.encodedLength(length));
                })
                .put()
                .uri(signed.uri())
                .send(body)
                .responseSingle((response, content) -> content.then().thenReturn(response.status()));
        // end
        return status;
    }

    @Test
    void recipeSetsTheSizeOfRecords() throws IOException {
        // snippet: records
        SslContext sslContext = SslContextBuilder.forClient().build();
        HttpClient client = HttpClient.create()
                .secure(tls ->
                        tls.sslContext(sslContext).handlerConfigurator(handler -> handler.setWrapDataSize(16_367)));
        // end
        assertThat(client.configuration().isSecure()).isTrue();
    }
}
