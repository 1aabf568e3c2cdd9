package io.github.reslice.spring;

import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
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

    static boolean isNettys(DataBufferFactory factory) {
        return NETTY && NettyBuffers.makes(factory);
    }

    static boolean isNettys(DataBuffer buffer) {
        return NETTY && NettyBuffers.has(buffer);
    }

    @Override
    public int start(DataBuffer buffer) {
        return buffer.readPosition();
    }

    @Override
    public int end(DataBuffer buffer) {
        return buffer.writePosition();
    }

    @Override
    public Object memory(DataBuffer buffer) {
        if (buffer instanceof DefaultDataBuffer heap) {
            return BYTE_BUFFER.memory(heap.getNativeBuffer());
        }
        return NETTY ? NettyBuffers.memory(buffer) : buffer;
    }

    @Override
    public int footprint(DataBuffer buffer) {
        if (buffer instanceof DefaultDataBuffer heap) {
            return BYTE_BUFFER.footprint(heap.getNativeBuffer());
        }
        return NETTY ? NettyBuffers.footprint(buffer) : buffer.capacity();
    }

    @Override
    public boolean splits() {
        return true;
    }

    @Override
    public DataBuffer take(DataBuffer buffer, int from, int length) {
        if (buffer instanceof DefaultDataBuffer heap) {
            return heap.factory().wrap(heap.getNativeBuffer().slice(from, length));
        }
        return length == buffer.readableByteCount() ? buffer : buffer.split(buffer.readPosition() + length);
    }

    @Override
    public void read(DataBuffer buffer, int from, int length, Reader reader) {
        if (buffer instanceof DefaultDataBuffer heap) {
            reader.read(heap.getNativeBuffer(), from, length);
        } else if (!NETTY || !NettyBuffers.read(buffer, from, length, reader)) {
            try (DataBuffer.ByteBufferIterator parts = buffer.readableByteBuffers()) {
                for (int left = length; left > 0; ) {
                    ByteBuffer part = parts.next();
                    int size = Math.min(left, part.remaining());
                    reader.read(part, part.position(), size);
                    left -= size;
                }
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
