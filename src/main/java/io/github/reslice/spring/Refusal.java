package io.github.reslice.spring;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.reslice.awschunked.AwsChunkedException;
import io.github.reslice.sigv4.SignatureRefusedException;
import java.util.Objects;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * What a refused request is answered.
 *
 * @param status the HTTP status
 * @param code S3's code
 * @param message for whoever sent the request
 */
record Refusal(int status, String code, String message) {

    static Refusal of(SignatureRefusedException refused) {
        return new Refusal(
                refused.reason().status(), refused.reason().s3Code(), Objects.requireNonNull(refused.getMessage()));
    }

    static Refusal of(AwsChunkedException refused) {
        return new Refusal(
                refused.reason().status(), refused.reason().s3Code(), Objects.requireNonNull(refused.getMessage()));
    }

    /** Writes S3's error document. */
    Mono<Void> answer(ServerWebExchange exchange) {
        ServerHttpResponse response = exchange.getResponse();
        String requestId = exchange.getRequest().getId();
        byte[] body = ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>" + escaped(code) + "</Code><Message>"
                        + escaped(message) + "</Message><Resource>"
                        + escaped(exchange.getRequest().getURI().getRawPath()) + "</Resource><RequestId>"
                        + escaped(requestId) + "</RequestId></Error>")
                .getBytes(UTF_8);
        response.setStatusCode(HttpStatusCode.valueOf(status));
        HttpHeaders headers = response.getHeaders();
        headers.remove(HttpHeaders.CONTENT_ENCODING); // a controller may have begun to answer
        headers.remove(HttpHeaders.ETAG);
        headers.setContentType(MediaType.APPLICATION_XML);
        headers.setContentLength(body.length);
        headers.set("x-amz-request-id", requestId);
        return response.writeWith(
                Mono.<DataBuffer>fromSupplier(() -> response.bufferFactory().wrap(body)));
    }

    /** As text in XML 1.0, in which some characters cannot be written at all. */
    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                default -> escaped.appendCodePoint(isXml(c) ? c : 0xfffd);
            }
        });
        return escaped.toString();
    }

    private static boolean isXml(int c) {
        return c == '\t' || (c >= ' ' && c < 0xd800) || (c >= 0xe000 && c < 0xfffe) || c > 0xffff;
    }
}
