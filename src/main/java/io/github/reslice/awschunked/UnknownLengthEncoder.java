package io.github.reslice.awschunked;

import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Input;
import io.github.reslice.stage.Stage;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a payload whose length is not known as an {@code aws-chunked} body. A chunk's header needs its size, so less than
 * one chunk is held until it is full or the payload ends; what is held, with the memory that it keeps alive, stays under
 * twice the chunk's size.
 *
 * <p>Plain code for one body; {@link Stage#operator} carries it through a {@code Flux}. The checksum is taken when a
 * buffer is fed, of a large one chunk by chunk: its bytes must not change until its pieces have been used.
 *
 * @param <B> the buffer
 */
public final class UnknownLengthEncoder<B> implements Stage<B, B> {

    private final int chunkSize;
    private final BufferKind<B> kind;
    private final Framing<B> framing;
    private final Input<B> input;
    private final HeldChunk<B> held;
    private int chunkLeft;
    private boolean latestWasHeld;
    private boolean ended;

    /**
     * An encoder for one body.
     *
     * @param layout how the body lies on the wire
     * @param kind how to look at the buffers
     */
    public UnknownLengthEncoder(Layout layout, BufferKind<B> kind) {
        this(layout.chunkSize(), kind, new UnsignedFraming(layout));
    }

    UnknownLengthEncoder(int chunkSize, BufferKind<B> kind, FramingBytes bytes) {
        this.chunkSize = chunkSize;
        this.kind = Objects.requireNonNull(kind, "kind");
        framing = new Framing<>(bytes, kind);
        input = new Input<>(kind);
        held = new HeldChunk<>(kind, chunkSize);
    }

    @Override
    public void feed(B buffer) {
        input.set(buffer);
    }

    /** Bytes of the buffer fed last that are neither held nor given. */
    int incoming() {
        return input.remaining();
    }

    @Override
    public void end() {
        ended = true;
    }

    @Override
    public @Nullable B poll() {
        if (chunkLeft > 0) {
            return takeData();
        }
        int lacking = chunkSize - held.size();
        framing.include(input, lacking);
        if (input.remaining() >= lacking) {
            return openChunk(chunkSize);
        }
        if (!input.isEmpty()) {
            held.add(input);
        }
        if (!ended) {
            return null;
        }
        return held.size() > 0 ? openChunk(held.size()) : framing.end();
    }

    private B openChunk(int size) {
        held.seal();
        chunkLeft = size;
        return framing.header(size);
    }

    private B takeData() {
        B data = held.poll();
        latestWasHeld = data != null;
        if (data == null) {
            data = input.take(chunkLeft);
        }
        chunkLeft -= latestWasHeld ? held.taken() : input.taken();
        return framing.around(data);
    }

    @Override
    public void discardUnsent(B piece, Consumer<Object> sink) {
        if (framing.latestIsFraming()) {
            kind.release(piece);
        } else if (latestWasHeld) {
            held.discardUnsent(piece, sink);
        } else {
            input.discardUnsent(piece, sink);
        }
    }

    @Override
    public void discard(Consumer<Object> sink) {
        framing.close();
        held.discard(sink);
        input.discard(sink);
    }
}
