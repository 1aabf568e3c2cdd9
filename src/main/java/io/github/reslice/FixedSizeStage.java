package io.github.reslice;

import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Input;
import io.github.reslice.stage.Stage;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Gives pieces of one size. A piece that straddles incoming buffers is joined by copying, the others are views. */
final class FixedSizeStage<B> implements Stage<B, B> {

    private static final int FIRST_CAPACITY = 8 * 1024;

    private final BufferKind<B> kind;
    private final int size;
    private final Input<B> input;
    private final BufferKind.Reader copy = this::copy;
    private @Nullable ByteBuffer joined;
    private boolean latestWasJoined;
    private int capacity;
    private boolean ended;

    FixedSizeStage(BufferKind<B> kind, int size) {
        this.kind = kind;
        this.size = size;
        input = new Input<>(kind);
        capacity = Math.min(size, FIRST_CAPACITY);
    }

    @Override
    public void feed(B buffer) {
        if (!input.isEmpty() && kind.start(buffer) < kind.end(buffer)) {
            append(input.remaining());
        }
        if (input.isEmpty()) {
            input.set(buffer);
        } else {
            kind.release(buffer); // an empty one: the rest need not be joined yet
        }
    }

    @Override
    public void end() {
        ended = true;
    }

    @Override
    public @Nullable B poll() {
        ByteBuffer joining = joined;
        if (joining == null) {
            latestWasJoined = false;
            boolean ready = input.remaining() >= size || (ended && !input.isEmpty());
            return ready ? input.take(size) : null;
        }
        if (!input.isEmpty()) {
            joining = append(size - joining.position());
        }
        return joining.position() == size || ended ? give(joining) : null;
    }

    private B give(ByteBuffer full) {
        capacity = full.capacity();
        B piece = kind.wrap(full.flip());
        joined = null;
        latestWasJoined = true;
        return piece;
    }

    private ByteBuffer append(int most) {
        B piece = input.take(most);
        kind.read(piece, kind.start(piece), input.taken(), copy);
        kind.release(piece);
        return Objects.requireNonNull(joined);
    }

    private void copy(ByteBuffer bytes, int from, int length) {
        ByteBuffer into = roomFor(length);
        into.put(into.position(), bytes, from, length);
        into.position(into.position() + length);
    }

    /** A large size is not allocated before so much has come. */
    private ByteBuffer roomFor(int length) {
        ByteBuffer into = joined;
        if (into == null) {
            into = ByteBuffer.allocate(Math.max(capacity, length));
        } else if (into.remaining() < length) {
            int needed = into.position() + length;
            into = ByteBuffer.allocate((int) Math.min(size, Math.max(needed, 2L * into.capacity())))
                    .put(into.flip());
        }
        joined = into;
        return into;
    }

    @Override
    public void discardUnsent(B piece, Consumer<Object> sink) {
        if (latestWasJoined) {
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
