package io.github.reslice.benchmarks.objects;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import one.profiler.AsyncProfiler;

/** Every object that was allocated while something ran, by class. Counted one by one, by a profiler that sees each. */
final class Allocations {

    private static final int MORE_THAN_A_TLAB = 2 * 1024 * 1024;

    private final String collapsed;

    private Allocations(String collapsed) {
        this.collapsed = collapsed;
    }

    /**
     * Runs it.
     *
     * @param thread runs a task on the thread that is looked at, and waits for it
     */
    static Allocations of(Runnable work, Consumer<Runnable> thread) throws Exception {
        AsyncProfiler profiler = AsyncProfiler.getInstance();
        profiler.execute("start,event=alloc,alloc=1,threads");
        thread.accept(Allocations::retireTheBufferThatThisThreadAllocatesFrom);
        work.run();
        String collapsed = profiler.execute("stop,collapsed,samples");
        return new Allocations(collapsed);
    }

    /** It was begun before the profiler was, and what still fits into it would not be seen. */
    private static void retireTheBufferThatThisThreadAllocatesFrom() {
        for (int bytes = 0; bytes < MORE_THAN_A_TLAB; bytes += Retired.SIZE) {
            Retired.latest = new Retired();
        }
    }

    /** How many objects of each class, of those whose stack is counted: the outermost frame first, the class last. */
    Map<String, Integer> byClass(Predicate<String[]> counted) {
        Map<String, Integer> counts = new TreeMap<>();
        for (String line : collapsed.split("\n")) {
            int space = line.lastIndexOf(' ');
            if (space < 0) {
                continue;
            }
            String[] stack = line.substring(0, space).split(";");
            String leaf = stack[stack.length - 1].replaceFirst("_\\[[ik]]$", "");
            if (!leaf.contains(Retired.class.getSimpleName()) && counted.test(stack)) {
                counts.merge(leaf, Integer.parseInt(line.substring(space + 1)), Integer::sum);
            }
        }
        return counts;
    }

    static int sum(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Whether a thread of that name allocated it. */
    static Predicate<String[]> by(String thread) {
        return stack -> stack[0].startsWith("[" + thread);
    }

    /** Whether the library asked for it, itself or through Java's and Netty's buffers and utilities. */
    static boolean byReslice(String[] stack) {
        return Arrays.stream(stack, 0, stack.length - 1)
                .filter(frame -> !frame.startsWith("java/")
                        && !frame.startsWith("jdk/")
                        && !frame.startsWith("io/netty/buffer/")
                        && !frame.startsWith("io/netty/util/"))
                .reduce((outer, inner) -> inner)
                .filter(frame -> frame.startsWith("io/github/reslice/") && !frame.contains("/benchmarks/"))
                .isPresent();
    }

    /** Fills the buffer up. */
    private static final class Retired {

        static final int SIZE = 24;
        static volatile Retired latest;

        @SuppressWarnings("unused")
        private long first;
    }
}
