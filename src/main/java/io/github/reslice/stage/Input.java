package io.github.reslice.stage;

import java.util.NoSuchElementException;
import java.util.Objects;
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
    private int start;
    private int position;
    private int remaining;
    private int taken;

    /**
     * An input with nothing in it.
     *
     * @param kind how to look at the buffers
     */
    public Input(BufferKind<B> kind) {
        this.kind = Objects.requireNonNull(kind, "kind");
    }

    /**
     * Takes the next buffer, once the one before is used up. Where its bytes start and end is looked up now, once: somebody
     * else may read from a buffer that is lent. An empty one is released at once.
     *
     * @param next the buffer
     * @throws IllegalStateException if the input is not empty
     */
    public void set(B next) {
        if (buffer != null) {
            throw new IllegalStateException("The input still has " + remaining + " bytes that were not taken");
        }
        start = kind.start(next);
        position = start;
        remaining = kind.end(next) - start;
        if (remaining == 0) {
            kind.release(next);
        } else {
            buffer = next;
        }
    }

    /**
     * Whether all bytes have been taken.
     *
     * @return whether nothing is left
     */
    public boolean isEmpty() {
        return remaining == 0;
    }

    /**
     * Bytes not yet taken.
     *
     * @return how many
     */
    public int remaining() {
        return remaining;
    }

    /**
     * The memory that the buffer, and so each piece of it, keeps alive.
     *
     * @return the memory, compared by identity
     * @throws NoSuchElementException if the input is empty
     */
    public Object memory() {
        return kind.memory(current());
    }

    /**
     * How much memory that is.
     *
     * @return bytes, as far as the buffer tells
     * @throws NoSuchElementException if the input is empty
     */
    public int footprint() {
        return kind.footprint(current());
    }

    /**
     * Shows the bytes not yet taken.
     *
     * @param reader is shown them
     */
    public void read(BufferKind.Reader reader) {
        read(remaining, reader);
    }

    /**
     * Shows the next bytes, at most {@code most} of them, and takes none.
     *
     * @param most how many
     * @param reader is shown them
     */
    public void read(int most, BufferKind.Reader reader) {
        B from = buffer;
        if (from != null) {
            // a part that was split off may have left the rest with indices of its own, which end where its bytes do
            int at = kind.splits() ? kind.end(from) - remaining : position;
            kind.read(from, at, Math.min(most, remaining), reader);
        }
    }

    /**
     * Takes the next bytes, at most {@code most} of them, and gives them to nobody: framing that has been read.
     *
     * @param most how many, from 1
     * @throws IllegalArgumentException if {@code most} is below 1
     * @throws NoSuchElementException if the input is empty
     */
    public void skip(int most) {
        if (kind.splits()) {
            kind.release(take(most));
        } else {
            advance(most);
        }
    }

    /**
     * The next bytes, at most {@code most} of them.
     *
     * @param most how many, from 1
     * @return the buffer itself if that is all of it, else a view
     * @throws IllegalArgumentException if {@code most} is below 1
     * @throws NoSuchElementException if the input is empty
     */
    public B take(int most) {
        B from = current();
        int at = position;
        boolean whole = isWhole(from, most);
        advance(most);
        return whole ? from : kind.take(from, at, taken);
    }

    private void advance(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("At least 1 byte must be taken, was " + most);
        }
        current();
        taken = Math.min(most, remaining);
        position += taken;
        remaining -= taken;
        if (remaining == 0) {
            buffer = null;
        }
    }

    private B current() {
        B current = buffer;
        if (current == null) {
            throw new NoSuchElementException("The input is empty");
        }
        return current;
    }

    /**
     * Bytes in the piece taken last.
     *
     * @return how many
     */
    public int taken() {
        return taken;
    }

    // a buffer that is lent twice may have been read from by now, and shows other bytes than those that were fed
    private boolean isWhole(B from, int most) {
        return most >= remaining && kind.start(from) == position && kind.end(from) - position == remaining;
    }

    /**
     * Gives back the piece taken last, which nobody received. {@link #discard} must follow.
     *
     * @param piece the piece
     * @param sink takes what is the user's
     */
    public void discardUnsent(B piece, Consumer<Object> sink) {
        if (buffer == null || kind.splits()) {
            sink.accept(piece);
        } else {
            position -= taken;
            remaining += taken;
        }
    }

    /**
     * Gives back what was not taken: the buffer itself if nothing was, else its rest.
     *
     * @param sink takes what is the user's
     */
    public void discard(Consumer<Object> sink) {
        B held = buffer;
        if (held != null) {
            sink.accept(position == start ? held : take(remaining));
        }
        buffer = null;
        remaining = 0;
    }
}
