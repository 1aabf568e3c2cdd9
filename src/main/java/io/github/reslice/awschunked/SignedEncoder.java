package io.github.reslice.awschunked;

import io.github.reslice.sigv4.ChunkSignatures;
import io.github.reslice.sigv4.SignedHeaders;
import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Stage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a payload as an {@code aws-chunked} body in which every chunk is signed, and the trailers if there are any. A
 * chunk's header has a signature over its data, so less than one chunk is held, whether the length is known or not; what
 * is held, with the memory that it keeps alive, stays under twice the chunk's size.
 *
 * <p>Plain code for one body; {@link Stage#operator} carries it through a {@code Flux}. A buffer is hashed when it is fed,
 * a large one chunk by chunk: its bytes must not change until its pieces have been used.
 *
 * @param <B> the buffer
 */
public final class SignedEncoder<B> implements Stage<B, B> {

    private final UnknownLengthEncoder<B> chunks;
    private final @Nullable DeclaredLength length;

    /**
     * An encoder for one body whose length is not known.
     *
     * @param layout how the body lies on the wire
     * @param kind how to look at the buffers
     * @param seed the signed request that the body belongs to
     */
    public SignedEncoder(SignedLayout layout, BufferKind<B> kind, SignedHeaders seed) {
        this(layout, kind, seed, null);
    }

    /**
     * An encoder for one body whose length is known.
     *
     * @param layout how the body lies on the wire
     * @param kind how to look at the buffers
     * @param seed the signed request that the body belongs to
     * @param declared the payload's length in bytes
     * @throws IllegalArgumentException if the length is below zero
     */
    public SignedEncoder(SignedLayout layout, BufferKind<B> kind, SignedHeaders seed, long declared) {
        this(layout, kind, seed, new DeclaredLength(declared));
    }

    private SignedEncoder(
            SignedLayout layout, BufferKind<B> kind, SignedHeaders seed, @Nullable DeclaredLength length) {
        SignedFraming framing = new SignedFraming(layout, ChunkSignatures.following(seed));
        chunks = new UnknownLengthEncoder<>(layout.chunkSize(), kind, framing);
        this.length = length;
    }

    /**
     * {@inheritDoc}
     *
     * @throws DecodedLengthException if the body gets longer than declared
     */
    @Override
    public void feed(B buffer) {
        chunks.feed(buffer);
        if (length != null) {
            length.add(chunks.incoming());
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws DecodedLengthException if the body is shorter than declared
     */
    @Override
    public void end() {
        if (length != null) {
            length.end();
        }
        chunks.end();
    }

    @Override
    public @Nullable B poll() {
        return chunks.poll();
    }

    @Override
    public void discardUnsent(B piece, Consumer<Object> sink) {
        chunks.discardUnsent(piece, sink);
    }

    @Override
    public void discard(Consumer<Object> sink) {
        chunks.discard(sink);
    }
}
