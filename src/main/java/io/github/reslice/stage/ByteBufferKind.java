package io.github.reslice.stage;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Looks at Java's buffers through absolute reads and views, since a source may have lent the same one twice. */
final class ByteBufferKind implements BufferKind<ByteBuffer> {

    @Override
    public int start(ByteBuffer buffer) {
        return buffer.position();
    }

    @Override
    public int size(ByteBuffer buffer) {
        return buffer.remaining();
    }

    @Override
    public int footprint(ByteBuffer buffer) {
        return buffer.capacity();
    }

    @Override
    public boolean splits() {
        return false;
    }

    @Override
    public ByteBuffer take(ByteBuffer buffer, int from, int length) {
        return buffer.slice(from, length);
    }

    @Override
    public void read(ByteBuffer buffer, Consumer<ByteBuffer> reader) {
        reader.accept(buffer);
    }

    @Override
    public ByteBuffer wrap(ByteBuffer bytes) {
        return bytes;
    }

    @Override
    public void release(ByteBuffer buffer) {}
}
