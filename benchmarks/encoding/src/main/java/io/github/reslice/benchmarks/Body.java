package io.github.reslice.benchmarks;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
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

    /** How many are encoded at once, each with this content and length. */
    @Param("1")
    int uploads;

    private ByteBuffer[] buffers = {};
    private ByteBuffer[] sent = {};
    private Wire wire;
    private SignedBody signed;
    private Wire signedWire;

    /** Makes the buffers. */
    @Setup(Level.Trial)
    public void fill() {
        Random random = new Random(1);
        int different = Math.toIntExact(Math.min(length, distinct) / bufferSize);
        buffers = new ByteBuffer[Math.toIntExact(length / bufferSize)];
        for (int i = 0; i < different; i++) {
            byte[] bytes = new byte[bufferSize];
            random.nextBytes(bytes);
            buffers[i] = memory.allocate(bufferSize).put(bytes).flip();
        }
        for (int i = different; i < buffers.length; i++) {
            buffers[i] = buffers[i - different].duplicate(); // each is read once, as the AWS SDK moves positions
        }
        sent = straddling ? withTheFirstCutInTwo() : buffers;
    }

    /** So that no buffer but the last ends with a chunk. */
    private ByteBuffer[] withTheFirstCutInTwo() {
        int cut = bufferSize / 3;
        ByteBuffer[] all = Arrays.copyOf(buffers, buffers.length + 1);
        all[buffers.length] = buffers[0].slice(0, cut);
        all[0] = buffers[0].slice(cut, bufferSize - cut);
        return all;
    }

    Flux<ByteBuffer> source() {
        return Flux.fromArray(sent);
    }

    /** Of each of several uploads at once. */
    List<ByteBuffer[]> uploads() {
        return IntStream.range(0, uploads).mapToObj(this::buffersOf).toList();
    }

    /** The same encoded, the framing in buffers of its own. */
    List<ByteBuffer[]> wires() {
        return uploads().stream()
                .map(own -> wire(Flux.fromArray(own)).buffers())
                .toList();
    }

    /**
     * Buffers of its own for one of several uploads at once, over the same memory. Each begins at least a turn behind the one before:
     * between two reads of the same buffer, 16 uploads and 256 then read 48 MiB or more, and a core of an EPYC reaches 32 MiB of
     * cache. Spread evenly, 256 would find three quarters of a turn where the one before has just read it.
     */
    private ByteBuffer[] buffersOf(int upload) {
        int apart = Math.max(buffers.length / uploads, InTurn.TURN);
        int first = Math.toIntExact((long) apart * upload % buffers.length);
        ByteBuffer[] own = new ByteBuffer[buffers.length];
        Arrays.setAll(own, i -> buffers[(first + i) % buffers.length].duplicate());
        return own;
    }

    /** This body encoded, in the same memory for all that ask: how long that takes to read hangs on where it lies. */
    Wire wire() {
        if (wire == null) {
            wire = wire(source());
        }
        return wire;
    }

    SignedBody signed() {
        if (signed == null) {
            signed = new SignedBody(Contender.chunked(this), length);
        }
        return signed;
    }

    /** The same of this body signed. */
    Wire signedWire() {
        if (signedWire == null) {
            signedWire = new Wire(this, signed().encode(source()));
        }
        return signedWire;
    }

    private Wire wire(Flux<ByteBuffer> source) {
        return new Wire(this, source.transform(Contender.chunked(this).encode(length)));
    }

    /** To their beginnings, from where the AWS SDK has left them. */
    void rewind() {
        for (ByteBuffer buffer : sent) {
            buffer.rewind();
        }
    }

    /** The same bytes in a plain loop. */
    void forEach(Consumer<ByteBuffer> reader) {
        for (ByteBuffer buffer : buffers) {
            reader.accept(buffer);
        }
    }
}
