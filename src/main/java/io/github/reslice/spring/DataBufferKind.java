package io.github.reslice.spring;

import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBuffer;
import org.springframework.util.ClassUtils;

/**
 * Looks at Spring's buffers. A pooled one is split, so that each part is released on its own; of a
 * {@link DefaultDataBuffer}, which nobody releases, parts are views, so that its owner may subscribe to it again.
 */
final class DataBufferKind implements BufferKind<DataBuffer> {

    private static final boolean NETTY =
            ClassUtils.isPresent("io.netty.buffer.ByteBuf", DataBufferKind.class.getClassLoader());

    private final DataBufferFactory bufferFactory;

    DataBufferKind(DataBufferFactory bufferFactory) {
        this.bufferFactory = bufferFactory;
    }

    @Override
    public int start(DataBuffer buffer) {
        return 0;
    }

    @Override
    public int size(DataBuffer buffer) {
        return buffer.readableByteCount();
    }

    @Override
    public int footprint(DataBuffer buffer) {
        return buffer.capacity();
    }

    @Override
    public boolean splits() {
        return true;
    }

    @Override
    public DataBuffer take(DataBuffer buffer, int from, int length) {
        if (buffer instanceof DefaultDataBuffer heap) {
            ByteBuffer bytes = heap.getNativeBuffer();
            return heap.factory().wrap(bytes.slice(bytes.position() + from, length));
        }
        return length == buffer.readableByteCount() ? buffer : buffer.split(buffer.readPosition() + length);
    }

    @Override
    public void read(DataBuffer buffer, Consumer<ByteBuffer> reader) {
        if (buffer instanceof DefaultDataBuffer heap) {
            reader.accept(heap.getNativeBuffer());
        } else if (!NETTY || !NettyBuffers.read(buffer, reader)) {
            try (DataBuffer.ByteBufferIterator parts = buffer.readableByteBuffers()) {
                parts.forEachRemaining(reader);
            }
        }
    }

    @Override
    public DataBuffer wrap(ByteBuffer bytes) {
        return bufferFactory.wrap(bytes);
    }

    @Override
    public void release(DataBuffer buffer) {
        DataBufferUtils.release(buffer);
    }
}
