package io.github.reslice.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;

/** What a pair has cost: the median of the iterations, over all JVMs that were started for it. */
final class Measured {

    private final List<IterationResult> iterations = new ArrayList<>();

    Measured(RunResult result) {
        for (BenchmarkResult jvm : result.getBenchmarkResults()) {
            iterations.addAll(jvm.getIterationResults());
        }
    }

    /** How many times as fast as the other, by CPU time. */
    double speed() {
        return median(i -> total(i, "otherNanos") / total(i, "ownNanos"));
    }

    /** CPU time for a body, in microseconds. */
    double micros() {
        return median(i -> total(i, "ownNanos") / total(i, "pairs") / 1e3);
    }

    /** Bytes allocated for a body. */
    double bytes() {
        return median(i -> total(i, "ownBytes") / total(i, "pairs"));
    }

    /** How many times as much the other allocates. */
    double allocationOfTheOther() {
        return median(i -> total(i, "otherBytes") / total(i, "ownBytes"));
    }

    private double median(ToDoubleFunction<IterationResult> value) {
        double[] sorted = iterations.stream().mapToDouble(value).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static double total(IterationResult iteration, String counter) {
        return iteration.getSecondaryResults().get(counter).getScore();
    }
}
