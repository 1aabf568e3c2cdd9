package io.github.reslice.benchmarks;

import java.io.File;
import java.util.Locale;

/** Runs the benchmarks and checks their numbers against the bars; ends with 1 if one is missed. */
public final class Numbers {

    private Numbers() {}

    /**
     * Measures and checks.
     *
     * @param args the form, {@code quick}, {@code full} or {@code checksums}, and the directory for JMH's results
     */
    public static void main(String[] args) {
        Form form = Form.valueOf(args[0].toUpperCase(Locale.ROOT));
        Measuring measuring = new Measuring(form);
        if (form == Form.CHECKSUMS) {
            new ChecksumTable(measuring, new File(args[1], "aws-crt.jar")).print();
            measuring.writeTo(new File(args[1], "checksums.json"));
            return;
        }
        Report report = new Report(form.slack);
        report.begin("64 MiB in 16 KiB buffers, 128 KiB chunks, CRC32C; Java %s, %s"
                .formatted(System.getProperty("java.runtime.version"), System.getProperty("os.arch")));
        for (Memory memory : Memory.values()) {
            new DesignTable(measuring, report, memory).check();
        }
        if (form == Form.FULL) {
            new Dimensions(measuring, report).measure();
        }
        measuring.writeTo(new File(args[1], "results.json"));
        System.exit(report.failed() ? 1 : 0);
    }
}
