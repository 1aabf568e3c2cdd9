package io.github.reslice.benchmarks.uploads;

import java.util.Arrays;
import one.profiler.AsyncProfiler;

/** What the library itself allocates in an upload: every object is seen, and counts if the library asked for it. */
final class OwnAllocation {

    private OwnAllocation() {}

    /** In bytes; or -1 where the profiler does not load, or has seen nothing. */
    static long of(Upload upload) throws Exception {
        AsyncProfiler profiler;
        try {
            profiler = AsyncProfiler.getInstance();
        } catch (LinkageError | IllegalStateException e) {
            return -1;
        }
        System.gc(); // ends the buffers that threads allocate from: what still fitted into them would not be seen
        profiler.execute("start,event=alloc,alloc=1");
        upload.send();
        long bytes = profiler.execute("stop,collapsed,total")
                .lines()
                .filter(line -> byReslice(line.split(";")))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
        return bytes == 0 ? -1 : bytes;
    }

    /** Whether the library asked for it, itself or through Java's, Netty's and Spring's buffers and utilities. */
    private static boolean byReslice(String[] stack) {
        return Arrays.stream(stack, 0, stack.length - 1)
                .filter(frame -> !frame.startsWith("java/")
                        && !frame.startsWith("jdk/")
                        && !frame.startsWith("io/netty/buffer/")
                        && !frame.startsWith("io/netty/util/")
                        && !frame.startsWith("org/springframework/core/io/buffer/"))
                .reduce((outer, inner) -> inner)
                .filter(frame -> frame.startsWith("io/github/reslice/") && !frame.contains("/benchmarks/"))
                .isPresent();
    }
}
