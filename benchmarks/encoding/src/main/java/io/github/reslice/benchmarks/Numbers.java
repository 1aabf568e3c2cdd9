package io.github.reslice.benchmarks;

import java.io.File;
import java.util.Locale;

/** Runs the benchmarks and checks their numbers against the bars; ends with 1 if one is missed. */
public final class Numbers {

    private Numbers() {}

    /**
     * Measures and checks.
     *
     * @param args the form, {@code quick}, {@code full}, {@code dimensions} or {@code checksums}, and the directory for the results
     */
    public static void main(String[] args) {
        Form form = Form.valueOf(args[0].toUpperCase(Locale.ROOT));
        Results results = new Results();
        Measuring measuring = new Measuring(form, results);
        if (form == Form.CHECKSUMS) {
            new ChecksumTable(measuring, new File(args[1], "aws-crt.jar")).print();
            results.writeRunsTo(new File(args[1], "checksums.json"));
            return;
        }
        Report report = new Report(form.slack);
        if (form != Form.DIMENSIONS) {
            report.begin("64 MiB in 16 KiB buffers, 128 KiB chunks, CRC32C; Java %s, %s"
                    .formatted(System.getProperty("java.runtime.version"), System.getProperty("os.arch")));
            for (Memory memory : Memory.values()) {
                DesignTable table = new DesignTable(measuring, report, memory);
                table.check();
                if (form == Form.FULL) {
                    table.compareHarderCases();
                }
            }
        }
        if (form != Form.QUICK) {
            new Dimensions(new Measuring(Form.DIMENSIONS, results), report).measure();
        }
        results.writeRunsTo(new File(args[1], "results.json"));
        results.writePairsTo(new File(args[1], "encoding.json"), form);
        System.exit(report.failed() ? 1 : 0);
    }
}
