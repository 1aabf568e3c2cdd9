package io.github.reslice.benchmarks;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import reactor.core.publisher.Flux;

/** A body as it comes in, in buffers that do not share memory. A body longer than {@link #DISTINCT} repeats them. */
@State(Scope.Thread)
public class Body {

    /** More than a processor's cache holds, so that a body streams through it. */
    static final int DISTINCT = 64 * 1024 * 1024;

    @Param("HEAP")
    Memory memory;

    @Param("67108864")
    long length;

    @Param("16384")
    int bufferSize;

    @Param("131072")
    int chunkSize;

    /** Whether chunks end within buffers. Else they end where a buffer does, or a buffer has several. */
    @Param("false")
    boolean straddling;

    /** Bytes in buffers that differ: few of them stay in the cache. */
    @Param("67108864")
    int distinct;

    private ByteBuffer[] buffers = {};

    /** Makes the buffers. */
    @Setup(Level.Trial)
    public void fill() {
        Random random = new Random(1);
        buffers = new ByteBuffer[Math.toIntExact(Math.min(length, distinct) / bufferSize)];
        for (int i = 0; i < buffers.length; i++) {
            byte[] bytes = new byte[bufferSize];
            random.nextBytes(bytes);
            buffers[i] = memory.allocate(bufferSize).put(bytes).flip();
        }
    }

    /** How many buffers come. With one that is cut in two, so that no other ends with a chunk, there is one more. */
    int count() {
        return Math.toIntExact(length / bufferSize) + (straddling ? 1 : 0);
    }

    Flux<ByteBuffer> source() {
        int whole = Math.toIntExact(length / bufferSize);
        if (!straddling && whole == buffers.length) {
            return Flux.fromArray(buffers);
        }
        if (!straddling) {
            return Flux.range(0, whole).map(i -> buffers[i % buffers.length]);
        }
        ByteBuffer first = buffers[0];
        int cut = bufferSize / 3;
        ByteBuffer front = first.slice(0, cut);
        ByteBuffer back = first.slice(cut, bufferSize - cut);
        return Flux.range(0, whole + 1).map(i -> i == 0 ? back : i == whole ? front : buffers[i % buffers.length]);
    }

    /** The same bytes in a plain loop. */
    void forEach(Consumer<ByteBuffer> reader) {
        for (int i = 0; i < length / bufferSize; i++) {
            reader.accept(buffers[i % buffers.length]);
        }
    }
}
