package io.github.reslice.awschunked;

import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Input;
import io.github.reslice.stage.Stage;
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
    private final long declared;
    private long received;
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
        this.layout = layout;
        this.kind = kind;
        this.declared = Layout.requireLength(declared);
        unopened = declared;
        framing = new Framing<>(layout, kind);
        input = new Input<>(kind);
    }

    /**
     * {@inheritDoc}
     *
     * @throws DecodedLengthException if the body gets longer than declared
     */
    @Override
    public void feed(B buffer) {
        int size = kind.size(buffer);
        if (size > declared - received) {
            throw DecodedLengthException.tooLong(declared, received + size);
        }
        input.set(buffer);
        if (!input.isEmpty()) {
            received += input.remaining();
            framing.include(buffer);
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws DecodedLengthException if the body is shorter than declared
     */
    @Override
    public void end() {
        if (received < declared) {
            throw DecodedLengthException.tooShort(declared, received);
        }
        ended = true;
    }

    @Override
    public @Nullable B poll() {
        if (input.isEmpty()) {
            return ended ? framing.close() : null;
        }
        if (chunkLeft == 0) {
            return openChunk();
        }
        int before = input.remaining();
        B data = input.take(chunkLeft);
        chunkLeft -= before - input.remaining();
        return data;
    }

    private B openChunk() {
        chunkLeft = (int) Math.min(layout.chunkSize(), unopened);
        unopened -= chunkLeft;
        return framing.open(chunkLeft);
    }

    @Override
    public void discardUnsent(B piece, Consumer<Object> sink) {
        if (framing.made(piece)) {
            kind.release(piece);
        } else {
            input.discardUnsent(piece, sink);
        }
    }

    @Override
    public void discard(Consumer<Object> sink) {
        input.discard(sink);
    }
}
