package io.github.reslice.benchmarks;

import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** What one round measured, by benchmark ({@code EncodingBenchmark.awsSdk HEAP}). */
final class Round {

    private static final String ALLOCATION = "gc.alloc.rate.norm";

    private final Map<String, RunResult> results = new HashMap<>();

    Round(Iterable<RunResult> results) {
        for (RunResult result : results) {
            String name = result.getParams().getBenchmark();
            String simple = name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1);
            this.results.put(simple + " " + result.getParams().getParam("memory"), result);
        }
    }

    /** CPU time of an operation in microseconds: of the fastest iteration, since a disturbance only ever adds. */
    double micros(String benchmark) {
        return measured(benchmark, CpuTime.LABEL).getStatistics().getMin();
    }

    /** Bytes that an operation allocates. */
    double bytes(String benchmark) {
        return measured(benchmark, ALLOCATION).getStatistics().getMin();
    }

    private Result<?> measured(String benchmark, String label) {
        RunResult result = results.get(benchmark);
        if (result == null) {
            throw new NoSuchElementException("No result of " + benchmark + " in " + results.keySet());
        }
        return result.getSecondaryResults().get(label);
    }
}
