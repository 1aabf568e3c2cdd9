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
            if (body.straddling) {
                append(piece.duplicate(), cut, body);
            } else {
                cut.add(isData(piece, body) ? piece.slice() : copy(piece, body.memory));
            }
        });
        if (body.straddling) {
            cut.forEach(ByteBuffer::flip);
        }
        buffers = cut.toArray(ByteBuffer[]::new);
        decoder = decoder(body);
    }

    static AwsChunkedDecoder decoder(Body body) {
        return AwsChunkedDecoder.builder()
                .decodedLength(body.length)
                .trailer("x-amz-checksum-crc32c")
                .build();
    }

    private static void append(ByteBuffer from, List<ByteBuffer> cut, Body body) {
        while (from.hasRemaining()) {
            ByteBuffer to = cut.isEmpty() ? null : cut.get(cut.size() - 1);
            if (to == null || !to.hasRemaining()) {
                to = body.memory.allocate(body.bufferSize);
                cut.add(to);
            }
            int size = Math.min(from.remaining(), to.remaining());
            to.put(from.slice().limit(size));
            from.position(from.position() + size);
        }
    }

    /** Data stays in the body's own memory, so that a wire of 4 GiB needs no more of it than its body. */
    private static boolean isData(ByteBuffer piece, Body body) {
        return piece.remaining() >= Math.min(body.bufferSize, body.chunkSize);
    }

    /** Of framing, which is read-only. */
    private static ByteBuffer copy(ByteBuffer piece, Memory memory) {
        return memory.allocate(piece.remaining()).put(piece.duplicate()).flip();
    }

    Flux<ByteBuffer> decoded() {
        return Flux.fromArray(buffers).transform(decoder.decode());
    }

    Flux<ByteBuffer> decoded(SignedHeaders seed) {
        return Flux.fromArray(buffers).transform(decoder.decode(seed));
    }

    ByteBuffer[] buffers() {
        return buffers;
    }

    void forEach(Consumer<ByteBuffer> reader) {
        for (ByteBuffer buffer : buffers) {
            reader.accept(buffer);
        }
    }
}
