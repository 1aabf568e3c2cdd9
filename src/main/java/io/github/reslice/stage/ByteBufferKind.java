package io.github.reslice.stage;

import java.nio.ByteBuffer;

/** Looks at Java's buffers by index and through views, since a source may have lent the same one twice. */
@SuppressWarnings("ByteBufferBackingArray") // whose array and how large, not what is in it
final class ByteBufferKind implements BufferKind<ByteBuffer> {

    @Override
    public int start(ByteBuffer buffer) {
        return buffer.position();
    }

    @Override
    public int end(ByteBuffer buffer) {
        return buffer.limit();
    }

    @Override
    public Object memory(ByteBuffer buffer) {
        return buffer.hasArray() ? buffer.array() : buffer;
    }

    @Override
    public int footprint(ByteBuffer buffer) {
        return buffer.hasArray() ? buffer.array().length : buffer.capacity();
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
    public void read(ByteBuffer buffer, int from, int length, Reader reader) {
        reader.read(buffer, from, length);
    }

    @Override
    public ByteBuffer wrap(ByteBuffer bytes) {
        return bytes;
    }

    @Override
    public void release(ByteBuffer buffer) {}
}
