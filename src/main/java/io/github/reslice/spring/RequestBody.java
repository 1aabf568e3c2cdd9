package io.github.reslice.spring;

import io.github.reslice.OneShotBodyException;
import io.github.reslice.Reslice;
import io.github.reslice.sigv4.SignedHeaders;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.PooledDataBuffer;
import reactor.core.publisher.Flux;

/** A body on its way to the connector, encoded or plain. */
final class RequestBody {

    private final Publisher<? extends DataBuffer> source;
    private final DataBufferFactory bufferFactory;
    private final DataBufferKind kind;

    RequestBody(Publisher<? extends DataBuffer> source, DataBufferFactory bufferFactory) {
        this.source = source;
        this.bufferFactory = bufferFactory;
        kind = new DataBufferKind(bufferFactory);
    }

    /** As an aws-chunked body; with a length below zero, one whose length is not known. */
    Flux<DataBuffer> encoded(BodyEncoding encoding, long length, SignedHeaders seed) {
        return through(encoding.operator(kind, length, seed));
    }

    /** As it is; held to its length, unless that is below zero and not known. */
    Flux<DataBuffer> checked(long length) {
        return through(length < 0 ? Function.identity() : Reslice.exactLength(kind, length));
    }

    private Flux<DataBuffer> through(Function<Flux<DataBuffer>, Flux<DataBuffer>> operator) {
        Flux<DataBuffer> pieces = Flux.<DataBuffer>from(source)
                .doOnNext(RequestBody::checkAlive)
                .transform(OneShotBodyException.named())
                .transform(DiscardHook.inPlaceOfReceivers(operator));
        return connectorReleases() ? pieces : pieces.map(this::onHeap);
    }

    private static void checkAlive(DataBuffer buffer) {
        if (buffer instanceof PooledDataBuffer pooled && !pooled.isAllocated()) {
            throw new IllegalStateException("a buffer of the body had been released before it came");
        }
    }

    /** A connector that makes pooled buffers releases them; the others copy and never release. */
    private boolean connectorReleases() {
        return bufferFactory.wrap(new byte[0]) instanceof PooledDataBuffer;
    }

    private DataBuffer onHeap(DataBuffer piece) {
        if (!(piece instanceof PooledDataBuffer)) {
            return piece;
        }
        byte[] bytes = new byte[piece.readableByteCount()];
        piece.read(bytes);
        DataBufferUtils.release(piece);
        return bufferFactory.wrap(bytes);
    }
}
