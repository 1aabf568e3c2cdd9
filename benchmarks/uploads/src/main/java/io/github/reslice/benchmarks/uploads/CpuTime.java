package io.github.reslice.benchmarks.uploads;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * CPU time of this process, with the threads that collect garbage and compile. The JDK's own figure is in steps of 10 ms on
 * Linux, so there the kernel's is read, of the threads that live.
 */
final class CpuTime {

    private static final Path THREADS = Path.of("/proc/self/task");
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private CpuTime() {}

    static long nanos() {
        if (!Files.exists(
                THREADS.resolve(Long.toString(ProcessHandle.current().pid())).resolve("schedstat"))) {
            return PROCESS.getProcessCpuTime();
        }
        long nanos = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            for (Path thread : threads) {
                nanos += nanos(thread);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return nanos;
    }

    private static long nanos(Path thread) {
        try {
            String schedstat = Files.readString(thread.resolve("schedstat")); // on the processor, waiting, how often
            return Long.parseLong(schedstat.substring(0, schedstat.indexOf(' ')));
        } catch (IOException e) { // it has just ended, before its file was opened or while it was read
            return 0;
        }
    }
}
