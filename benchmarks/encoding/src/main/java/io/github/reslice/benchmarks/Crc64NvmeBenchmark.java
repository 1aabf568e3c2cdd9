package io.github.reslice.benchmarks;

import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.RunningChecksum;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** CRC64NVME over the payload: as the library computes it, and by the usual eight tables. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Crc64NvmeBenchmark {

    @Benchmark
    public byte[] library(Payload payload) {
        RunningChecksum checksum = ChecksumAlgorithm.CRC64NVME.start();
        for (ByteBuffer buffer : payload.buffers) {
            checksum.update(buffer);
        }
        return checksum.digest();
    }

    @Benchmark
    public long slicingBy8(Payload payload) {
        SlicingBy8 checksum = new SlicingBy8();
        for (ByteBuffer buffer : payload.buffers) {
            checksum.update(buffer);
        }
        return checksum.value();
    }
}
