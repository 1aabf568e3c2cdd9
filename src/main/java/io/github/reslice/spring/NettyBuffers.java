package io.github.reslice.spring;

import io.github.reslice.stage.BufferKind;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.NettyDataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;

/** Looks into Netty's buffers. Loaded only where Netty is. */
final class NettyBuffers {

    private NettyBuffers() {}

    static boolean makes(DataBufferFactory factory) {
        return factory instanceof NettyDataBufferFactory;
    }

    static boolean has(DataBuffer buffer) {
        return buffer instanceof NettyDataBuffer;
    }

    /** The buffer that a slice is of, or a buffer that is not Netty's itself. */
    static Object memory(DataBuffer buffer) {
        return buffer instanceof NettyDataBuffer netty ? root(netty) : buffer;
    }

    static int footprint(DataBuffer buffer) {
        return buffer instanceof NettyDataBuffer netty ? root(netty).capacity() : buffer.capacity();
    }

    private static ByteBuf root(NettyDataBuffer buffer) {
        ByteBuf root = buffer.getNativeBuffer();
        for (ByteBuf parent = root.unwrap(); parent != null; parent = parent.unwrap()) {
            root = parent;
        }
        return root;
    }

    /** Shows bytes if the buffer is one of Netty's, with one view each at most, and says whether it is. */
    static boolean read(DataBuffer buffer, int from, int length, BufferKind.Reader reader) {
        if (!(buffer instanceof NettyDataBuffer netty)) {
            return false;
        }
        ByteBuf bytes = netty.getNativeBuffer();
        if (bytes.hasArray()) {
            reader.readArray(bytes.array(), bytes.arrayOffset() + from, length);
        } else if (bytes.nioBufferCount() == 1) {
            // a buffer has one owner, so nobody else uses its internal view now; slices make a new one by themselves
            reader.readView(bytes.internalNioBuffer(from, length));
        } else {
            for (ByteBuffer part : bytes.nioBuffers(from, length)) {
                reader.readView(part);
            }
        }
        return true;
    }
}
