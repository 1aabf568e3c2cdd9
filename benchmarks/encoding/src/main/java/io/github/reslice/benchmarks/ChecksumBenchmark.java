package io.github.reslice.benchmarks;

import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.RunningChecksum;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A checksum of 64 MiB in turn with a copy of the same bytes, each in buffers of 16 KiB. There are 16 different buffers, which
 * stay in the cache, so that it is the computation that is measured and not the way to the memory.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ChecksumBenchmark {

    /** Bytes that are read in one operation. */
    static final long LENGTH = 64 * 1024 * 1024;

    private static final int BUFFER_SIZE = 16 * 1024;
    private static final int BUFFERS = 16;

    @Param("CRC32C")
    ChecksumAlgorithm algorithm;

    @Param("HEAP")
    Holding holding;

    /** Whether CRC64NVME is expected to be computed in native code. */
    @Param("false")
    boolean inNativeCode;

    private final ByteBuffer[] buffers = new ByteBuffer[BUFFERS];
    private final byte[] target = new byte[BUFFER_SIZE];
    private boolean checksumFirst;

    /** How a buffer holds its bytes. */
    public enum Holding {
        HEAP,
        DIRECT,
        READ_ONLY_HEAP;

        ByteBuffer hold(byte[] bytes) {
            return switch (this) {
                case HEAP -> ByteBuffer.wrap(bytes);
                case DIRECT ->
                    ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
                case READ_ONLY_HEAP -> ByteBuffer.wrap(bytes).asReadOnlyBuffer();
            };
        }
    }

    /** Makes the buffers, and looks whether what computes is what is to be measured. */
    @Setup
    public void fill() {
        Random random = new Random(1);
        for (int i = 0; i < BUFFERS; i++) {
            byte[] bytes = new byte[BUFFER_SIZE];
            random.nextBytes(bytes);
            buffers[i] = holding.hold(bytes);
        }
        String used = algorithm.start().getClass().getSimpleName();
        if (inNativeCode != used.startsWith("Native")) {
            throw new IllegalStateException("In native code: " + inNativeCode + ", but used is " + used);
        }
    }

    /**
     * Computes and copies.
     *
     * @param costs what both cost
     * @return what depends on both
     */
    @Benchmark
    public long pair(PairBenchmark.Costs costs) {
        costs.pairs++;
        checksumFirst = !checksumFirst;
        return checksumFirst
                ? costs.ofOwn(this::checksum) + costs.ofOther(this::copy)
                : costs.ofOther(this::copy) + costs.ofOwn(this::checksum);
    }

    private long checksum() {
        RunningChecksum checksum = algorithm.start();
        for (long done = 0; done < LENGTH; done += BUFFER_SIZE) {
            checksum.update(buffers[(int) (done / BUFFER_SIZE) % BUFFERS]);
        }
        return checksum.digest()[0];
    }

    private long copy() {
        long sum = 0;
        for (long done = 0; done < LENGTH; done += BUFFER_SIZE) {
            buffers[(int) (done / BUFFER_SIZE) % BUFFERS].get(0, target);
            sum += target[(int) (done / BUFFER_SIZE)];
        }
        return sum;
    }
}
