package io.github.reslice.spring;

import io.github.reslice.stage.Stage;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;

/** Copies small pieces together, for a connector to which each one is a write. Those that are not small pass. */
final class SmallPieces implements Stage<DataBuffer, DataBuffer> {

    private final DataBufferFactory bufferFactory;
    private final ByteBuffer joined;
    private int size;
    private @Nullable DataBuffer piece;
    private boolean latestIsCopy;
    private boolean ended;

    /** Pieces of at most half a size are small, and are joined until the next one would go beyond it. */
    SmallPieces(DataBufferFactory bufferFactory, int most) {
        this.bufferFactory = bufferFactory;
        joined = ByteBuffer.allocate(most);
    }

    @Override
    public void feed(DataBuffer buffer) {
        piece = buffer;
    }

    @Override
    public void end() {
        ended = true;
    }

    @Override
    public @Nullable DataBuffer poll() {
        DataBuffer next = piece;
        if (next == null) {
            return ended && size > 0 ? copy() : null;
        }
        int length = next.readableByteCount();
        boolean small = length <= joined.capacity() / 2;
        if (size > 0 && (!small || size + length > joined.capacity())) {
            return copy();
        }
        if (small) {
            add(next, length);
        }
        piece = null;
        latestIsCopy = false;
        return small ? null : next;
    }

    private void add(DataBuffer small, int length) {
        small.toByteBuffer(small.readPosition(), joined, size, length); // its owner may send it again
        size += length;
        DataBufferUtils.release(small);
    }

    private DataBuffer copy() {
        DataBuffer copy = bufferFactory.wrap(Arrays.copyOf(joined.array(), size));
        size = 0;
        latestIsCopy = true;
        return copy;
    }

    @Override
    public void discardUnsent(DataBuffer unsent, Consumer<Object> sink) {
        if (latestIsCopy) {
            DataBufferUtils.release(unsent);
        } else {
            sink.accept(unsent);
        }
    }

    @Override
    public void discard(Consumer<Object> sink) {
        if (piece != null) {
            sink.accept(piece);
        }
    }
}
