package io.github.reslice.spring;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.NettyDataBuffer;

/** Shows the bytes of Netty's buffers with one view each, or none. Loaded only where Netty is. */
final class NettyBuffers {

    private NettyBuffers() {}

    /** Shows the bytes if the buffer is one of Netty's, and says whether it is. */
    static boolean read(DataBuffer buffer, Consumer<ByteBuffer> reader) {
        if (!(buffer instanceof NettyDataBuffer netty)) {
            return false;
        }
        ByteBuf bytes = netty.getNativeBuffer();
        int from = bytes.readerIndex();
        int length = bytes.readableBytes();
        if (bytes.hasArray()) {
            reader.accept(ByteBuffer.wrap(bytes.array(), bytes.arrayOffset() + from, length));
        } else if (bytes.nioBufferCount() == 1) {
            // a buffer has one owner, so nobody else uses its internal view now; slices make a new one by themselves
            reader.accept(bytes.internalNioBuffer(from, length));
        } else {
            for (ByteBuffer part : bytes.nioBuffers(from, length)) {
                reader.accept(part);
            }
        }
        return true;
    }
}
