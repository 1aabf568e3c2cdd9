package io.github.reslice.servers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.client.WebClient.RequestBodySpec;
import org.springframework.web.reactive.function.client.WebClient.RequestHeadersSpec;
import reactor.core.publisher.Flux;

/** The forms in which a caller may give a {@code WebClient} the same bytes. */
enum BodyKind {
    BYTE_BUFFERS {
        @Override
        RequestHeadersSpec<?> give(RequestBodySpec request, byte[] payload) {
            return request.contentLength(payload.length).body(byteBuffers(payload), ByteBuffer.class);
        }
    },
    POOLED_DATA_BUFFERS {
        @Override
        RequestHeadersSpec<?> give(RequestBodySpec request, byte[] payload) {
            return request.contentLength(payload.length).body(pooled(payload), DataBuffer.class);
        }
    },
    RESOURCE {
        @Override
        RequestHeadersSpec<?> give(RequestBodySpec request, byte[] payload) {
            return request.body(BodyInserters.fromResource(new ByteArrayResource(payload)));
        }
    },
    STRING {
        @Override
        RequestHeadersSpec<?> give(RequestBodySpec request, byte[] payload) {
            return request.contentType(MediaType.parseMediaType("text/plain;charset=ISO-8859-1"))
                    .bodyValue(new String(payload, ISO_8859_1));
        }
    };

    /** Of no size that a chunk or a page is a multiple of. */
    private static final int SLICE = 9_973;

    private static final NettyDataBufferFactory POOL = new NettyDataBufferFactory(PooledByteBufAllocator.DEFAULT);

    abstract RequestHeadersSpec<?> give(RequestBodySpec request, byte[] payload);

    /** The bytes in buffers of their own, new ones for each subscription. */
    static Flux<ByteBuffer> byteBuffers(byte[] payload) {
        return slices(payload).map(ByteBuffer::wrap);
    }

    private static Flux<DataBuffer> pooled(byte[] payload) {
        return slices(payload).map(slice -> POOL.allocateBuffer(slice.length).write(slice));
    }

    private static Flux<byte[]> slices(byte[] payload) {
        return Flux.range(0, (payload.length + SLICE - 1) / SLICE)
                .map(i -> Arrays.copyOfRange(payload, i * SLICE, Math.min(payload.length, (i + 1) * SLICE)));
    }
}
