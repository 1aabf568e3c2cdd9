package io.github.reslice.benchmarks.uploads;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Random;
import reactor.core.publisher.Flux;

/** What is uploaded: {@code length} bytes in buffers of one size, each made when it is asked for. */
final class Body {

    private static final int MIB = 1024 * 1024;
    private static final int SOURCE_SIZE = 64 * MIB; // more than the processor's caches hold, as a body is

    final long length;
    private final int bufferSize;
    private final ByteBuffer source;

    Body(int mib, int bufferSize, Memory memory) {
        this.length = (long) mib * MIB;
        this.bufferSize = bufferSize;
        byte[] bytes = new byte[SOURCE_SIZE];
        new Random(1).nextBytes(bytes);
        source = memory == Memory.HEAP
                ? ByteBuffer.wrap(bytes)
                : ByteBuffer.allocateDirect(SOURCE_SIZE).put(bytes).flip();
    }

    Flux<ByteBuffer> byteBuffers() {
        return buffers().map(i -> source.slice(offset(i), bufferSize));
    }

    Flux<ByteBuf> byteBufs() {
        ByteBuf whole = Unpooled.wrappedBuffer(source);
        return buffers().map(i -> whole.retainedSlice(offset(i), bufferSize));
    }

    private Flux<Integer> buffers() {
        return Flux.range(0, (int) (length / bufferSize));
    }

    private int offset(int buffer) {
        return (int) ((long) buffer * bufferSize % SOURCE_SIZE);
    }
}
