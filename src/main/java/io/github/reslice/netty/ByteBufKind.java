package io.github.reslice.netty;

import io.github.reslice.stage.BufferKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Looks at Netty's buffers. What is taken off one is a retained slice, and its reader index moves behind it. */
final class ByteBufKind implements BufferKind<ByteBuf> {

    private final ByteBufAllocator allocator;

    ByteBufKind(ByteBufAllocator allocator) {
        this.allocator = Objects.requireNonNull(allocator, "allocator");
    }

    @Override
    public int start(ByteBuf buffer) {
        return buffer.readerIndex();
    }

    @Override
    public int end(ByteBuf buffer) {
        return buffer.writerIndex();
    }

    @Override
    public Object memory(ByteBuf buffer) {
        return root(buffer);
    }

    @Override
    public int footprint(ByteBuf buffer) {
        return root(buffer).capacity();
    }

    private static ByteBuf root(ByteBuf buffer) {
        ByteBuf root = buffer;
        for (ByteBuf parent = root.unwrap(); parent != null; parent = parent.unwrap()) {
            root = parent;
        }
        return root;
    }

    @Override
    public boolean splits() {
        return true;
    }

    @Override
    public ByteBuf take(ByteBuf buffer, int from, int length) {
        return length == buffer.readableBytes() ? buffer : buffer.readRetainedSlice(length);
    }

    @Override
    public void read(ByteBuf buffer, int from, int length, Reader reader) {
        if (buffer.hasArray()) {
            reader.readArray(buffer.array(), buffer.arrayOffset() + from, length);
        } else if (buffer.nioBufferCount() == 1) {
            // a buffer has one owner, so nobody else uses its internal view now; slices make a new one by themselves
            reader.readView(buffer.internalNioBuffer(from, length));
        } else {
            for (ByteBuffer part : buffer.nioBuffers(from, length)) {
                reader.readView(part);
            }
        }
    }

    @Override
    public ByteBuf wrap(ByteBuffer bytes) {
        return bytes.hasArray() ? Unpooled.wrappedBuffer(bytes) : copy(bytes);
    }

    /** Framing, which is read-only and a line long: a copy costs less than a view, and is what the network wants. */
    private ByteBuf copy(ByteBuffer bytes) {
        return allocator.ioBuffer(bytes.remaining(), bytes.remaining()).writeBytes(bytes);
    }

    @Override
    public Repeated<ByteBuf> repeated(ByteBuffer bytes) {
        return new RetainedHeader(copy(bytes));
    }

    @Override
    public void release(ByteBuf buffer) {
        buffer.release();
    }

    /**
     * One pooled buffer, of which every piece is a duplicate out of Netty's recycler. It is a subscription's own, so that a
     * receiver that writes into its pieces harms no other body.
     */
    private record RetainedHeader(ByteBuf header) implements Repeated<ByteBuf> {

        @Override
        public ByteBuf next() {
            return header.retainedDuplicate();
        }

        @Override
        public void close() {
            header.release();
        }
    }
}
