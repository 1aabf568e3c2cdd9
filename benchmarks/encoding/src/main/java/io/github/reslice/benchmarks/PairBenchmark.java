package io.github.reslice.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Two contenders in turn over the same buffers, in one JVM: now one first, now the other. What else the machine does, and where
 * the buffers lie in its memory, then disturbs both alike.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class PairBenchmark {

    @Param("KNOWN_LENGTH")
    Contender contender;

    @Param("BARE_CHECKSUM")
    Contender beside;

    @Param("ALL_AT_ONCE")
    Demand demand;

    private Contender.Work own;
    private Contender.Work other;
    private boolean ownFirst;

    /** What both have cost the measuring thread in an iteration. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Costs {

        private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        /** CPU time of the contender. */
        public long ownNanos;

        /** CPU time of the other. */
        public long otherNanos;

        /** Allocated by the contender. */
        public long ownBytes;

        /** Allocated by the other. */
        public long otherBytes;

        /** How often each has run. */
        public long pairs;

        long ofOwn(Contender.Work work) {
            long bytes = THREADS.getCurrentThreadAllocatedBytes();
            long nanos = THREADS.getCurrentThreadCpuTime();
            long result = work.run();
            ownNanos += THREADS.getCurrentThreadCpuTime() - nanos;
            ownBytes += THREADS.getCurrentThreadAllocatedBytes() - bytes;
            return result;
        }

        long ofOther(Contender.Work work) {
            long bytes = THREADS.getCurrentThreadAllocatedBytes();
            long nanos = THREADS.getCurrentThreadCpuTime();
            long result = work.run();
            otherNanos += THREADS.getCurrentThreadCpuTime() - nanos;
            otherBytes += THREADS.getCurrentThreadAllocatedBytes() - bytes;
            return result;
        }
    }

    /**
     * Prepares both.
     *
     * @param body the body
     * @throws NoSuchAlgorithmException if this Java runtime has no SHA-256
     */
    @Setup
    public void prepare(Body body) throws NoSuchAlgorithmException {
        own = contender.on(body, demand);
        other = beside.on(body, demand);
    }

    /**
     * Runs each once.
     *
     * @param costs what they cost
     * @return what depends on both
     */
    @Benchmark
    public long pair(Costs costs) {
        costs.pairs++;
        ownFirst = !ownFirst;
        return ownFirst ? costs.ofOwn(own) + costs.ofOther(other) : costs.ofOther(other) + costs.ofOwn(own);
    }
}
