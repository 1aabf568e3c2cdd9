package io.github.reslice.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;

/**
 * What a pair has cost: medians of the iterations, over all JVMs that were started for it.
 *
 * @param speed how many times as fast as the other, by CPU time
 * @param micros CPU time for an operation, in microseconds
 * @param bytes allocated for an operation
 * @param otherMicros CPU time of the other
 * @param otherBytes allocated by the other
 * @param allocationOfTheOther how many times as much the other allocates
 */
record Measured(
        double speed, double micros, double bytes, double otherMicros, double otherBytes, double allocationOfTheOther) {

    static Measured of(RunResult result) {
        List<IterationResult> iterations = new ArrayList<>();
        for (BenchmarkResult jvm : result.getBenchmarkResults()) {
            iterations.addAll(jvm.getIterationResults());
        }
        return new Measured(
                median(iterations, i -> total(i, "otherNanos") / total(i, "ownNanos")),
                median(iterations, i -> total(i, "ownNanos") / total(i, "pairs") / 1e3),
                median(iterations, i -> total(i, "ownBytes") / total(i, "pairs")),
                median(iterations, i -> total(i, "otherNanos") / total(i, "pairs") / 1e3),
                median(iterations, i -> total(i, "otherBytes") / total(i, "pairs")),
                median(iterations, i -> total(i, "otherBytes") / total(i, "ownBytes")));
    }

    private static double median(List<IterationResult> iterations, ToDoubleFunction<IterationResult> value) {
        double[] sorted = iterations.stream().mapToDouble(value).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static double total(IterationResult iteration, String counter) {
        return iteration.getSecondaryResults().get(counter).getScore();
    }
}
