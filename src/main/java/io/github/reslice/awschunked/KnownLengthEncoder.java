package io.github.reslice.awschunked;

import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Input;
import io.github.reslice.stage.Stage;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a payload whose length is known beforehand as an {@code aws-chunked} body. Every chunk's size is known when its
 * first byte comes, so nothing is held back but the rest of the one incoming buffer.
 *
 * <p>Plain code for one body; {@link Stage#operator} carries it through a {@code Flux}. The checksum is taken when a
 * buffer is fed: its bytes must not change until its pieces have been used.
 *
 * @param <B> the buffer
 */
public final class KnownLengthEncoder<B> implements Stage<B, B> {

    private final Layout layout;
    private final BufferKind<B> kind;
    private final Framing<B> framing;
    private final Input<B> input;
    private final DeclaredLength length;
    private long unopened;
    private int chunkLeft;
    private boolean ended;

    /**
     * An encoder for one body.
     *
     * @param layout how the body lies on the wire
     * @param kind how to look at the buffers
     * @param declared the payload's length in bytes
     * @throws IllegalArgumentException if the length is below zero
     */
    public KnownLengthEncoder(Layout layout, BufferKind<B> kind, long declared) {
        this.layout = Objects.requireNonNull(layout, "layout");
        this.kind = Objects.requireNonNull(kind, "kind");
        length = new DeclaredLength(declared);
        unopened = declared;
        framing = new Framing<>(new UnsignedFraming(layout), kind);
        input = new Input<>(kind);
    }

    /**
     * {@inheritDoc}
     *
     * @throws DecodedLengthException if the body gets longer than declared
     */
    @Override
    public void feed(B buffer) {
        input.set(buffer);
        length.add(input.remaining());
        framing.include(input, input.remaining());
    }

    /**
     * {@inheritDoc}
     *
     * @throws DecodedLengthException if the body is shorter than declared
     */
    @Override
    public void end() {
        length.end();
        ended = true;
    }

    @Override
    public @Nullable B poll() {
        if (input.isEmpty()) {
            return ended ? framing.end() : null;
        }
        if (chunkLeft == 0) {
            return openChunk();
        }
        B data = input.take(chunkLeft);
        chunkLeft -= input.taken();
        return framing.around(data);
    }

    private B openChunk() {
        chunkLeft = (int) Math.min(layout.chunkSize(), unopened);
        unopened -= chunkLeft;
        return framing.header(chunkLeft);
    }

    @Override
    public void discardUnsent(B piece, Consumer<Object> sink) {
        if (framing.latestIsFraming()) {
            kind.release(piece);
        } else {
            input.discardUnsent(piece, sink);
        }
    }

    @Override
    public void discard(Consumer<Object> sink) {
        framing.close();
        input.discard(sink);
    }
}
