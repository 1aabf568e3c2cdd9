package io.github.reslice.awschunked;

import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Input;
import org.jspecify.annotations.Nullable;

/** What one body gets around its payload: chunk headers, and the end with the checksum of what went by. */
final class Framing<B> {

    private final Layout layout;
    private final BufferKind<B> kind;
    private final @Nullable RunningChecksum checksum;
    private final BufferKind.@Nullable Reader update;
    private boolean first = true;
    private boolean closed;
    private @Nullable B latestFraming;

    Framing(Layout layout, BufferKind<B> kind) {
        this.layout = layout;
        this.kind = kind;
        ChecksumAlgorithm algorithm = layout.computedChecksum();
        checksum = algorithm == null ? null : algorithm.start();
        update = checksum == null ? null : checksum::update;
    }

    /** Adds what has come in to the checksum. */
    void include(Input<B> input) {
        if (update != null) {
            input.read(update);
        }
    }

    /** The header of a chunk of {@code size} bytes. */
    B header(int size) {
        B piece = kind.wrap(layout.chunkHeader(size, first));
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
        latestFraming = kind.wrap(layout.end(first, checksum == null ? null : checksum.base64()));
        return latestFraming;
    }

    /** Whether the piece given last is framing. */
    boolean isFraming(B piece) {
        return piece == latestFraming;
    }
}
