package io.github.reslice.samples.awssdk;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What this process has allocated, and the time that it has taken. */
record Cost(double megabytes, double cpuMillis, double elapsedMillis) {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /** All of it, of the threads that are alive: those of the clients are. */
    static Cost untilNow() {
        long bytes = Arrays.stream(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds()))
                .filter(b -> b > 0)
                .sum();
        return new Cost(bytes / 1e6, PROCESS.getProcessCpuTime() / 1e6, System.nanoTime() / 1e6);
    }

    Cost since(Cost before) {
        return new Cost(
                megabytes - before.megabytes, cpuMillis - before.cpuMillis, elapsedMillis - before.elapsedMillis);
    }

    static Cost median(List<Cost> costs) {
        return new Cost(
                median(costs, Cost::megabytes), median(costs, Cost::cpuMillis), median(costs, Cost::elapsedMillis));
    }

    private static double median(List<Cost> costs, ToDoubleFunction<Cost> part) {
        double[] sorted = costs.stream().mapToDouble(part).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    String dividedBy(Cost other) {
        return "%14.2f%12.2f%12.2f"
                .formatted(
                        megabytes / other.megabytes, cpuMillis / other.cpuMillis, elapsedMillis / other.elapsedMillis);
    }

    @Override
    public String toString() {
        return "%11.1f MB%9.0f ms%9.0f ms".formatted(megabytes, cpuMillis, elapsedMillis);
    }
}
