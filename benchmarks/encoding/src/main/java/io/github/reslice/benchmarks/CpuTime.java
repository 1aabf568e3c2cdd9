package io.github.reslice.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * CPU time that the measured thread spends on one operation. The code that is measured never waits, so on an idle machine
 * this is the elapsed time; on a busy one it leaves out the time in which other programs run.
 */
public final class CpuTime implements InternalProfiler {

    static final String LABEL = "cpu.norm";

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private long before;

    @Override
    public String getDescription() {
        return "CPU time of the measured thread per operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = nanos();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double micros = (nanos() - before) / 1e3;
        return List.of(
                new ScalarResult(LABEL, micros / result.getMetadata().getAllOps(), "us/op", AggregationPolicy.AVG));
    }

    private static long nanos() {
        long nanos = 0;
        for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().contains("-jmh-worker-")) {
                nanos += THREADS.getThreadCpuTime(thread.getThreadId());
            }
        }
        return nanos;
    }
}
