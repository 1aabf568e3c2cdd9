package io.github.reslice.benchmarks.uploads;

import io.github.reslice.AwsChunked;
import io.github.reslice.netty.ByteBufs;
import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.sigv4.SigV4;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.netty.http.client.HttpClient;

/** By Reactor Netty's {@code HttpClient}. */
final class HttpClientUpload implements Upload {

    private final HttpClient client;
    private final URI uri;
    private final Consumer<HttpHeaders> headers;
    private final Supplier<Flux<ByteBuf>> pieces;

    private HttpClientUpload(Setting setting, Consumer<HttpHeaders> headers, Supplier<Flux<ByteBuf>> pieces)
            throws GeneralSecurityException, IOException {
        client = NettyClient.of(setting);
        uri = uri(setting);
        this.headers = headers;
        this.pieces = pieces;
    }

    private static URI uri(Setting setting) {
        return setting.endpoint().resolve("/bucket/key");
    }

    static Upload raw(Setting setting) throws GeneralSecurityException, IOException {
        Body body = setting.body();
        return new HttpClientUpload(
                setting, headers -> headers.set(HttpHeaderNames.CONTENT_LENGTH, body.length), body::byteBufs);
    }

    static Upload encoded(Setting setting) throws GeneralSecurityException, IOException {
        Body body = setting.body();
        AwsChunked chunked = setting.chunked();
        SigV4 sigv4 = SigV4.builder().region("us-east-1").service("s3").build();
        AwsCredentials credentials = AwsCredentials.of("access", "secret");
        return new HttpClientUpload(
                setting,
                headers -> {
                    sigv4.sign("PUT", uri(setting), chunked.headers(body.length), credentials)
                            .headers()
                            .forEach(headers::set);
                    headers.set(HttpHeaderNames.CONTENT_LENGTH, chunked.encodedLength(body.length));
                },
                () -> body.byteBufs().transform(ByteBufs.encode(chunked, body.length)));
    }

    @Override
    public String send() {
        return client.headers(headers)
                .put()
                .uri(uri)
                .send(pieces.get())
                .responseSingle((response, content) ->
                        content.then().thenReturn(response.responseHeaders().get(HttpHeaderNames.ETAG)))
                .blockOptional()
                .orElseThrow();
    }
}
