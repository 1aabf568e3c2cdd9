package io.github.reslice.awschunked;

import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Shows bytes that lie elsewhere, or in an array that is not shown, as parts of a scratch array: copied once for two that
 * would each copy them, or make a view, for itself.
 */
final class OnHeap implements BufferKind.Reader {

    private static final int SIZE = 8 * 1024;

    private final BufferKind.Reader reader;
    private @Nullable ByteBuffer scratch;

    OnHeap(BufferKind.Reader reader) {
        this.reader = reader;
    }

    @Override
    public void read(ByteBuffer bytes, int from, int length) {
        if (bytes.hasArray()) {
            reader.read(bytes, from, length);
            return;
        }
        ByteBuffer copy = scratch;
        if (copy == null) {
            copy = ByteBuffer.allocate(SIZE);
            scratch = copy;
        }
        for (int done = 0; done < length; ) {
            int size = Math.min(SIZE, length - done);
            copy.put(0, bytes, from + done, size);
            reader.read(copy, 0, size);
            done += size;
        }
    }
}
