package io.github.reslice.benchmarks.uploads;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What an upload has taken: of the whole process, and of all its threads that live. */
record Cost(double cpuMillis, double wallMillis, double bytes, double directBytes, double records) {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    static Cost parse(String line) {
        double[] parts =
                Arrays.stream(line.split(" ")).mapToDouble(Double::parseDouble).toArray();
        return new Cost(parts[0], parts[1], parts[2], parts[3], parts[4]);
    }

    String line() {
        return cpuMillis + " " + wallMillis + " " + bytes + " " + directBytes + " " + records;
    }

    static Cost untilNow() {
        long bytes = Arrays.stream(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds()))
                .filter(b -> b > 0)
                .sum();
        return new Cost(CpuTime.nanos() / 1e6, System.nanoTime() / 1e6, bytes, 0, 0);
    }

    Cost since(Cost before, long directBytes, long records) {
        return new Cost(
                cpuMillis - before.cpuMillis,
                wallMillis - before.wallMillis,
                bytes - before.bytes,
                directBytes,
                records);
    }

    static Cost median(List<Cost> costs) {
        return new Cost(
                median(costs, Cost::cpuMillis),
                median(costs, Cost::wallMillis),
                median(costs, Cost::bytes),
                median(costs, Cost::directBytes),
                median(costs, Cost::records));
    }

    static double median(List<Cost> costs, ToDoubleFunction<Cost> part) {
        return median(costs.stream().mapToDouble(part).toArray());
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
