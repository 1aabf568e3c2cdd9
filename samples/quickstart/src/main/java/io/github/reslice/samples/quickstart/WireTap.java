package io.github.reslice.samples.quickstart;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpRequestDecorator;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Looks at one request as it goes over the wire: its headers, its body's length, its first and its last bytes. */
final class WireTap implements ExchangeFilterFunction {

    private static final int KEPT = 256;

    private HttpHeaders headers = HttpHeaders.EMPTY;
    private String first = "";
    private String last = "";
    private long length;

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        return next.exchange(ClientRequest.from(request)
                .body((output, context) -> request.body().insert(new TappedRequest(output), context))
                .build());
    }

    String header(String name) {
        return headers.getFirst(name);
    }

    long length() {
        return length;
    }

    String firstChunkHeader() {
        return first.substring(0, Math.max(0, first.indexOf("\r\n")));
    }

    /** What follows the zero chunk. */
    String trailer() {
        String zeroChunk = "0\r\n";
        int at = last.equals(first) && last.startsWith(zeroChunk) ? 0 : last.lastIndexOf("\r\n" + zeroChunk) + 2;
        return last.substring(at + zeroChunk.length()).strip();
    }

    private final class TappedRequest extends ClientHttpRequestDecorator {

        TappedRequest(ClientHttpRequest output) {
            super(output);
        }

        @Override
        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
            headers = HttpHeaders.copyOf(getHeaders());
            first = "";
            last = "";
            length = 0;
            return super.writeWith(Flux.from(body).doOnNext(this::see));
        }

        private void see(DataBuffer buffer) {
            int size = buffer.readableByteCount();
            int start = buffer.readPosition();
            length += size;
            if (first.length() < KEPT) {
                first += text(buffer, start, Math.min(size, KEPT - first.length()));
            }
            int end = Math.min(size, KEPT);
            last += text(buffer, start + size - end, end);
            last = last.substring(Math.max(0, last.length() - KEPT));
        }

        private String text(DataBuffer buffer, int from, int length) {
            byte[] bytes = new byte[length];
            buffer.toByteBuffer(from, ByteBuffer.wrap(bytes), 0, length);
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }
}
