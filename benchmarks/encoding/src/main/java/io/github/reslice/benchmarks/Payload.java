package io.github.reslice.benchmarks;

import java.nio.ByteBuffer;
import java.util.Random;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import reactor.core.publisher.Flux;

/** 64 MiB in buffers of 16 KiB, as a body comes in: no two of them share memory. */
@State(Scope.Thread)
public class Payload {

    static final int LENGTH = 64 * 1024 * 1024;
    static final int BUFFER_SIZE = 16 * 1024;
    static final int BUFFERS = LENGTH / BUFFER_SIZE;

    /** Where the buffers' memory is. */
    public enum Memory {
        HEAP,
        DIRECT
    }

    @Param
    Memory memory;

    final ByteBuffer[] buffers = new ByteBuffer[BUFFERS];

    @Setup(Level.Trial)
    public void fill() {
        fill(BUFFERS);
    }

    final void fill(int different) {
        Random random = new Random(1);
        for (int i = 0; i < different; i++) {
            byte[] bytes = new byte[BUFFER_SIZE];
            random.nextBytes(bytes);
            buffers[i] = memory == Memory.HEAP
                    ? ByteBuffer.wrap(bytes)
                    : ByteBuffer.allocateDirect(BUFFER_SIZE).put(bytes).flip();
        }
        for (int i = different; i < BUFFERS; i++) {
            buffers[i] = buffers[i - different];
        }
    }

    Flux<ByteBuffer> source() {
        return Flux.fromArray(buffers);
    }

    /**
     * As long, but the same 16 buffers come round again and again: 256 KiB stay in a processor's cache, so that no wait for
     * memory hides the encoder's own work.
     */
    @State(Scope.Thread)
    public static class Cached extends Payload {

        @Setup(Level.Trial)
        @Override
        public void fill() {
            fill(16);
        }
    }
}
