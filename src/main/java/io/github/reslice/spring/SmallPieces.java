package io.github.reslice.spring;

import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Input;
import io.github.reslice.stage.Stage;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies small pieces together, for a connector to which each one is a write, and fills them up from a large one that
 * follows, so that the end of that is in no write of its own either. Apart from that, those that are not small pass.
 */
final class SmallPieces<B> implements Stage<B, B> {

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
        int room = joined.length - size;
        if (length == 0) {
            return ended && size > 0 ? giveJoined() : null;
        }
        if (isSmall(length) && length <= room) {
            join(length);
            return null;
        }
        if (size == 0) {
            latestIsCopy = false;
            return input.take(length);
        }
        if (room > 0 && !isSmall(length - room)) {
            join(room);
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
