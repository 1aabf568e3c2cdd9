package io.github.reslice.awschunked;

import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Input;
import org.jspecify.annotations.Nullable;

/** What one body gets around its payload, as pieces of the payload's kind: chunk headers, and the end. */
final class Framing<B> {

    private final FramingBytes bytes;
    private final BufferKind<B> kind;
    private final BufferKind.@Nullable Reader reader;
    private boolean first = true;
    private boolean closed;
    private @Nullable B latestFraming;

    Framing(FramingBytes bytes, BufferKind<B> kind) {
        this.bytes = bytes;
        this.kind = kind;
        reader = bytes.reader();
    }

    /** Reads the next {@code most} bytes of what has come in. */
    void include(Input<B> input, int most) {
        if (reader != null) {
            input.read(most, reader);
        }
    }

    /** The header of a chunk of {@code size} bytes, which have been included. */
    B header(int size) {
        B piece = kind.wrap(bytes.chunkHeader(size, first));
        first = false;
        latestFraming = piece;
        return piece;
    }

    /** The end of the body; once, then null. */
    @Nullable
    B end() {
        if (closed) {
            return null;
        }
        closed = true;
        latestFraming = kind.wrap(bytes.end(first));
        return latestFraming;
    }

    /** Whether the piece given last is framing. */
    boolean isFraming(B piece) {
        return piece == latestFraming;
    }
}
