package io.github.reslice.stage;

import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The one incoming buffer that a stage holds, and a cursor into it. Pieces are taken off its front: the buffer itself
 * when all of it is wanted, else views. Nothing is copied.
 *
 * <pre>{@code
 * public void feed(ByteBuffer buffer) {
 *     input.set(buffer);
 * }
 *
 * public @Nullable ByteBuffer poll() {
 *     return input.isEmpty() ? null : input.take(1024);
 * }
 * }</pre>
 *
 * @param <B> the buffer
 */
public final class Input<B> {

    private final BufferKind<B> kind;
    private @Nullable B buffer;
    private int footprint;
    private int start;
    private int position;
    private int remaining;

    /** An input with nothing in it. */
    public Input(BufferKind<B> kind) {
        this.kind = kind;
    }

    /** Takes the next buffer, once the one before is used up. An empty one is released at once. */
    public void set(B next) {
        footprint = kind.footprint(next);
        start = kind.start(next);
        position = start;
        remaining = kind.size(next);
        if (remaining == 0) {
            kind.release(next);
        } else {
            buffer = next;
        }
    }

    /** Whether all bytes have been taken. */
    public boolean isEmpty() {
        return remaining == 0;
    }

    /** Bytes not yet taken. */
    public int remaining() {
        return remaining;
    }

    /** Bytes of memory that a piece of the buffer set last keeps alive, as far as the buffer tells. */
    public int footprint() {
        return footprint;
    }

    /**
     * The next bytes, at most {@code most} of them.
     *
     * @throws NoSuchElementException if the input is empty
     */
    public B take(int most) {
        B from = buffer;
        if (from == null) {
            throw new NoSuchElementException("The input is empty");
        }
        int length = Math.min(most, remaining);
        B piece = isWhole(from, length) ? from : kind.take(from, position, length);
        position += length;
        remaining -= length;
        if (remaining == 0) {
            buffer = null;
        }
        return piece;
    }

    // its receiver may have read from a buffer that is lent twice: then it no longer shows the bytes that were fed
    private boolean isWhole(B from, int length) {
        return position == start && length == remaining && kind.start(from) == start && kind.size(from) == length;
    }

    /** Gives back the piece taken last, which nobody received. */
    public void discardUnsent(B piece, Consumer<Object> sink) {
        if (buffer == null || kind.splits()) {
            sink.accept(piece);
        } else {
            position -= kind.size(piece);
            remaining += kind.size(piece);
        }
    }

    /** Gives back what was not taken: the buffer itself if nothing was, else its rest. */
    public void discard(Consumer<Object> sink) {
        B held = buffer;
        if (held != null) {
            sink.accept(position == start ? held : take(remaining));
        }
        buffer = null;
        remaining = 0;
    }
}
