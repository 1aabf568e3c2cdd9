package io.github.reslice.spring;

import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Input;
import io.github.reslice.stage.Stage;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies small pieces together, for a connector to which each one is a write. Those that are not small pass, but for the
 * first bytes of one that follows a very short piece, such as a header.
 */
final class SmallPieces<B> implements Stage<B, B> {

    /** More than what a chunk of a common size has beyond full TLS records: 136 bytes of 128 KiB, 68 of 64 KiB. */
    private static final int SHORT = 256;

    private final BufferKind<B> kind;
    private final Input<B> input;
    private final byte[] joined;
    private final BufferKind.Reader copy = this::copy;
    private int size;
    private boolean latestIsCopy;
    private boolean ended;

    /** Pieces of at most half a size are small, and are joined until the next one would go beyond it. */
    SmallPieces(BufferKind<B> kind, int most) {
        this.kind = kind;
        input = new Input<>(kind);
        joined = new byte[most];
    }

    @Override
    public void feed(B piece) {
        input.set(piece);
    }

    @Override
    public void end() {
        ended = true;
    }

    @Override
    public @Nullable B poll() {
        int length = input.remaining();
        if (length == 0) {
            return ended && size > 0 ? giveJoined() : null;
        }
        if (isSmall(length) && size + length <= joined.length) {
            join(length);
            return null;
        }
        if (size == 0) {
            latestIsCopy = false;
            return input.take(length);
        }
        int missing = Math.min(SHORT, joined.length) - size;
        if (missing > 0 && length - missing > joined.length / 2) {
            join(missing);
        }
        return giveJoined();
    }

    private boolean isSmall(int length) {
        return length <= joined.length / 2;
    }

    private void join(int length) {
        input.read(length, copy);
        input.skip(length);
    }

    private void copy(ByteBuffer bytes, int from, int length) {
        bytes.get(from, joined, size, length);
        size += length;
    }

    private B giveJoined() {
        B piece = kind.wrap(ByteBuffer.wrap(Arrays.copyOf(joined, size)));
        size = 0;
        latestIsCopy = true;
        return piece;
    }

    @Override
    public void discardUnsent(B unsent, Consumer<Object> sink) {
        if (latestIsCopy) {
            kind.release(unsent);
        } else {
            input.discardUnsent(unsent, sink);
        }
    }

    @Override
    public void discard(Consumer<Object> sink) {
        input.discard(sink);
    }
}
