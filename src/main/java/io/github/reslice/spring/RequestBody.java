package io.github.reslice.spring;

import io.github.reslice.OneShotBodyException;
import io.github.reslice.Reslice;
import io.github.reslice.sigv4.SignedHeaders;
import io.github.reslice.stage.Stage;
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
    private final Exchange exchange;
    private final DataBufferKind kind;
    private final boolean connectorReleases;

    RequestBody(Publisher<? extends DataBuffer> source, DataBufferFactory bufferFactory, Exchange exchange) {
        this.source = source;
        this.exchange = exchange;
        this.bufferFactory = bufferFactory;
        kind = new DataBufferKind(bufferFactory);
        connectorReleases = DataBufferKind.isNettys(bufferFactory);
    }

    /**
     * As an aws-chunked body; with a length below zero, one whose length is not known. Small pieces are joined up to
     * a size, unless that is zero.
     */
    Flux<DataBuffer> encoded(BodyEncoding encoding, long length, SignedHeaders seed, int joinUpTo) {
        Function<Flux<DataBuffer>, Flux<DataBuffer>> encode = encoding.operator(kind, length, seed);
        return through(
                joinUpTo == 0 ? encode : encode.andThen(Stage.operator(kind, () -> new SmallPieces<>(kind, joinUpTo))));
    }

    /** As it is; held to its length, unless that is below zero and not known. */
    Flux<DataBuffer> checked(long length) {
        return through(length < 0 ? Function.identity() : Reslice.exactLength(kind, length));
    }

    private Flux<DataBuffer> through(Function<Flux<DataBuffer>, Flux<DataBuffer>> operator) {
        Flux<DataBuffer> pieces = exchange.watched(Flux.<DataBuffer>from(source)
                        .doOnNext(RequestBody::checkAlive)
                        .transform(OneShotBodyException.named())
                        .transform(DiscardHook.inPlaceOfReceivers(operator)))
                .map(this::sendable);
        return connectorReleases ? pieces : exchange.whileWaitedFor(pieces);
    }

    private static void checkAlive(DataBuffer buffer) {
        if (buffer instanceof PooledDataBuffer pooled && !pooled.isAllocated()) {
            throw new IllegalStateException("a buffer of the body had been released before it came");
        }
    }

    /** What the connector releases, or nobody has to; Reactor Netty releases no other pooled buffers than Netty's. */
    private DataBuffer sendable(DataBuffer piece) {
        if (!(piece instanceof PooledDataBuffer) || (connectorReleases && DataBufferKind.isNettys(piece))) {
            return piece;
        }
        byte[] bytes = new byte[piece.readableByteCount()];
        piece.read(bytes);
        DataBufferUtils.release(piece);
        return bufferFactory.wrap(bytes);
    }
}
