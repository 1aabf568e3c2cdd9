package io.github.reslice.awschunked;

import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What one body gets around its payload: chunk headers, and the end with the checksum of what went by. */
final class Framing<B> {

    private final Layout layout;
    private final BufferKind<B> kind;
    private final @Nullable RunningChecksum checksum;
    private final @Nullable Consumer<ByteBuffer> update;
    private boolean first = true;
    private boolean closed;
    private @Nullable B latest;

    Framing(Layout layout, BufferKind<B> kind) {
        this.layout = layout;
        this.kind = kind;
        ChecksumAlgorithm algorithm = layout.checksum();
        checksum = algorithm == null ? null : algorithm.start();
        update = checksum == null ? null : checksum::update;
    }

    /** Adds a buffer's bytes to the checksum. */
    void include(B buffer) {
        if (update != null) {
            kind.read(buffer, update);
        }
    }

    /** The header of a chunk of {@code size} bytes. */
    B open(int size) {
        B piece = kind.wrap(layout.chunkHeader(size, first));
        first = false;
        latest = piece;
        return piece;
    }

    /** The end of the body; once, then null. */
    @Nullable
    B close() {
        if (closed) {
            return null;
        }
        closed = true;
        latest = kind.wrap(layout.end(first, checksum == null ? null : checksum.base64()));
        return latest;
    }

    /** Whether a piece is the framing given last. */
    boolean made(B piece) {
        return piece == latest;
    }
}
