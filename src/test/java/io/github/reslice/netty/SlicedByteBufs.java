package io.github.reslice.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Bytes cut at random into Netty's buffers of all forms, of one allocator. */
final class SlicedByteBufs {

    private enum Form {
        HEAP,
        DIRECT,
        RETAINED_SLICE,
        RETAINED_DUPLICATE,
        READ_ONLY,
        READ_ONLY_DIRECT,
        COMPOSITE,
        COMPOSITE_SLICE,
        COMPOSITE_OF_ONE,
        UNMODIFIABLE,
        WRAPPED,
        WRAPPED_READ_ONLY,
        EMPTY
    }

    private SlicedByteBufs() {}

    /** Buffers that together show these bytes, each with bytes around them in its memory. */
    static List<ByteBuf> atRandom(byte[] bytes, Random random, ByteBufAllocator allocator) {
        List<ByteBuf> buffers = new ArrayList<>();
        int most = random.nextInt(4) == 0 ? 1 + bytes.length : 1 + random.nextInt(30_000);
        for (int from = 0; from < bytes.length; ) {
            int length = Math.min(1 + random.nextInt(most), bytes.length - from);
            Form form = Form.values()[random.nextInt(Form.values().length)];
            ByteBuf buffer = of(form, bytes, from, length, random.nextInt(length + 1), allocator);
            from += buffer.readableBytes();
            buffers.add(buffer);
        }
        return buffers;
    }

    private static ByteBuf of(Form form, byte[] bytes, int from, int length, int cut, ByteBufAllocator allocator) {
        return switch (form) {
            case HEAP ->
                allocator.heapBuffer(length + 9).writeZero(5).skipBytes(5).writeBytes(bytes, from, length);
            case DIRECT -> direct(bytes, from, length, allocator);
            case RETAINED_SLICE -> sliceOf(direct(bytes, from, length, allocator), length);
            case RETAINED_DUPLICATE -> {
                ByteBuf whole = direct(bytes, from, length, allocator);
                ByteBuf duplicate = whole.retainedDuplicate();
                whole.release();
                yield duplicate;
            }
            case READ_ONLY ->
                allocator.heapBuffer(length).writeBytes(bytes, from, length).asReadOnly();
            case READ_ONLY_DIRECT -> direct(bytes, from, length, allocator).asReadOnly();
            case COMPOSITE -> composite(bytes, from, length, cut, allocator);
            case COMPOSITE_SLICE -> sliceOf(composite(bytes, from, length, cut, allocator), length);
            case COMPOSITE_OF_ONE ->
                allocator.compositeBuffer().addComponent(true, direct(bytes, from, length, allocator));
            case UNMODIFIABLE ->
                Unpooled.wrappedUnmodifiableBuffer( // which looks at no reader index of its parts
                        sliceOf(direct(bytes, from, cut, allocator), cut),
                        sliceOf(direct(bytes, from + cut, length - cut, allocator), length - cut));
            case WRAPPED -> Unpooled.wrappedBuffer(bytes, from, length);
            case WRAPPED_READ_ONLY ->
                Unpooled.wrappedBuffer(ByteBuffer.wrap(bytes, from, length).asReadOnlyBuffer());
            case EMPTY -> Unpooled.EMPTY_BUFFER;
        };
    }

    private static ByteBuf direct(byte[] bytes, int from, int length, ByteBufAllocator allocator) {
        return allocator.directBuffer(length + 9).writeZero(5).skipBytes(5).writeBytes(bytes, from, length);
    }

    private static CompositeByteBuf composite(byte[] bytes, int from, int length, int cut, ByteBufAllocator allocator) {
        return allocator
                .compositeBuffer()
                .addComponent(true, direct(bytes, from, cut, allocator))
                .addComponent(true, allocator.heapBuffer().writeBytes(bytes, from + cut, length - cut));
    }

    private static ByteBuf sliceOf(ByteBuf whole, int length) {
        ByteBuf slice = whole.retainedSlice(whole.readerIndex(), length);
        whole.release();
        return slice;
    }
}
