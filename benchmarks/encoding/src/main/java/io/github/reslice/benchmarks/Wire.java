package io.github.reslice.benchmarks;

import io.github.reslice.AwsChunkedDecoder;
import io.github.reslice.sigv4.SignedHeaders;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;

/** An encoded body as a server gets it: cut without regard to the framing, or with the framing in buffers of its own. */
final class Wire {

    private final ByteBuffer[] buffers;
    private final AwsChunkedDecoder decoder;

    Wire(Body body, Flux<ByteBuffer> encoded) {
        List<ByteBuffer> cut = new ArrayList<>();
        encoded.subscribe(piece -> {
            if (!body.straddling) {
                cut.add(body.memory.allocate(piece.remaining()).put(piece.duplicate()));
                return;
            }
            for (ByteBuffer from = piece.duplicate(); from.hasRemaining(); ) {
                ByteBuffer to = cut.isEmpty() ? null : cut.get(cut.size() - 1);
                if (to == null || !to.hasRemaining()) {
                    to = body.memory.allocate(body.bufferSize);
                    cut.add(to);
                }
                int size = Math.min(from.remaining(), to.remaining());
                to.put(from.slice().limit(size));
                from.position(from.position() + size);
            }
        });
        cut.forEach(ByteBuffer::flip);
        buffers = cut.toArray(ByteBuffer[]::new);
        decoder = AwsChunkedDecoder.builder()
                .decodedLength(body.length)
                .trailer("x-amz-checksum-crc32c")
                .build();
    }

    Flux<ByteBuffer> decoded() {
        return Flux.fromArray(buffers).transform(decoder.decode());
    }

    Flux<ByteBuffer> decoded(SignedHeaders seed) {
        return Flux.fromArray(buffers).transform(decoder.decode(seed));
    }

    void forEach(Consumer<ByteBuffer> reader) {
        for (ByteBuffer buffer : buffers) {
            reader.accept(buffer);
        }
    }
}
