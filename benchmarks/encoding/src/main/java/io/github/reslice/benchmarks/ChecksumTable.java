package io.github.reslice.benchmarks;

import io.github.reslice.benchmarks.ChecksumBenchmark.Holding;
import io.github.reslice.checksum.ChecksumAlgorithm;
import java.io.File;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Function;

/** How many bytes a second each checksum takes, beside a copy of the same bytes. */
final class ChecksumTable {

    private static final String CLASS_PATH = "java.class.path";

    private final Measuring measuring;

    /** The AWS Common Runtime, which is not on this program's class path. */
    private final Path runtime;

    ChecksumTable(Measuring measuring, Path runtime) {
        this.measuring = measuring;
        this.runtime = runtime;
    }

    void print() {
        System.out.println("| GB/s, and as a part of a copy's | heap | direct | read-only heap |");
        System.out.println("|---|---|---|---|");
        for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
            row(algorithm.toString(), holding -> measuring.measure(algorithm, holding, false));
            if (algorithm == ChecksumAlgorithm.CRC64NVME) {
                row(algorithm + ", in native code", holding -> measureInNativeCode(algorithm, holding));
            }
        }
    }

    /** JMH gives the JVMs that it starts this one's class path. */
    private Measured measureInNativeCode(ChecksumAlgorithm algorithm, Holding holding) {
        String classPath = System.getProperty(CLASS_PATH);
        System.setProperty(CLASS_PATH, classPath + File.pathSeparator + runtime);
        try {
            return measuring.measure(algorithm, holding, true);
        } finally {
            System.setProperty(CLASS_PATH, classPath);
        }
    }

    private static void row(String name, Function<Holding, Measured> measure) {
        StringBuilder row = new StringBuilder("| " + name + " |");
        for (Holding holding : Holding.values()) {
            Measured measured = measure.apply(holding);
            double gigabytes = ChecksumBenchmark.LENGTH / measured.micros() / 1e3;
            row.append(String.format(Locale.ROOT, " %.2f (%.2f) |", gigabytes, measured.speed()));
        }
        System.out.println(row);
    }
}
