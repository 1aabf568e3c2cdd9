package io.github.reslice.benchmarks;

import java.nio.ByteBuffer;
import java.util.Random;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import reactor.core.publisher.Flux;

/**
 * 64 MiB in buffers of 16 KiB.
 *
 * <p>There are only 16 different buffers, and they come round again and again: 256 KiB stay in a processor's cache, so that
 * what is compared is instructions, not a wait for memory that is the same on both sides and would hide them.
 */
@State(Scope.Thread)
public class Payload {

    static final int LENGTH = 64 * 1024 * 1024;
    static final int BUFFER_SIZE = 16 * 1024;
    static final int BUFFERS = LENGTH / BUFFER_SIZE;

    private static final int DIFFERENT = 16;

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
        Random random = new Random(1);
        for (int i = 0; i < DIFFERENT; i++) {
            byte[] bytes = new byte[BUFFER_SIZE];
            random.nextBytes(bytes);
            buffers[i] = memory == Memory.HEAP
                    ? ByteBuffer.wrap(bytes)
                    : ByteBuffer.allocateDirect(BUFFER_SIZE).put(bytes).flip();
        }
        for (int i = DIFFERENT; i < BUFFERS; i++) {
            buffers[i] = buffers[i - DIFFERENT];
        }
    }

    Flux<ByteBuffer> source() {
        return Flux.fromArray(buffers);
    }
}
