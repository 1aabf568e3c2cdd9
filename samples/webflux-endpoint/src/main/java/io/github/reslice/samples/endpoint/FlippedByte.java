package io.github.reslice.samples.endpoint;

import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpRequestDecorator;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Changes one byte of a body on its way, as a broken or a hostile network would. */
record FlippedByte(long place) implements ExchangeFilterFunction {

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        return next.exchange(ClientRequest.from(request)
                .body((output, context) -> request.body().insert(new Flipping(output, place), context))
                .build());
    }

    private static final class Flipping extends ClientHttpRequestDecorator {

        private long left;

        Flipping(ClientHttpRequest output, long place) {
            super(output);
            left = place;
        }

        @Override
        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
            return super.writeWith(Flux.from(body).map(this::flip));
        }

        private DataBuffer flip(DataBuffer buffer) {
            int size = buffer.readableByteCount();
            long at = left;
            left -= size;
            if (at < 0 || at >= size) {
                return buffer;
            }
            byte[] bytes = new byte[size];
            buffer.read(bytes);
            DataBufferUtils.release(buffer);
            bytes[(int) at] ^= 1;
            return bufferFactory().wrap(bytes);
        }
    }
}
