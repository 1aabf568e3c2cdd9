package io.github.reslice.benchmarks;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Runs the benchmarks and checks their numbers against the bars; ends with 1 if one is missed. */
public final class Numbers {

    private Numbers() {}

    /**
     * Measures and checks.
     *
     * @param args the form, {@code quick}, {@code full}, {@code dimensions} or {@code checksums}; the directory for the results; the
     *     dimensions, with commas between
     */
    public static void main(String[] args) {
        Form form = Form.valueOf(args[0].toUpperCase(Locale.ROOT));
        Path directory = Path.of(args[1]);
        List<Dimension> dimensions = dimensions(args[2]);
        Results results = new Results(form, directory);
        Measuring measuring = new Measuring(form, results);
        if (form == Form.CHECKSUMS) {
            new ChecksumTable(measuring, directory.resolve("aws-crt.jar")).print();
            results.writeRuns("checksums.json");
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
            new Dimensions(new Measuring(Form.DIMENSIONS, results), report).measure(dimensions);
        }
        results.writeRuns("results.json");
        System.exit(report.failed() ? 1 : 0);
    }

    private static List<Dimension> dimensions(String names) {
        return Arrays.stream(names.toUpperCase(Locale.ROOT).split(","))
                .map(Dimension::valueOf)
                .toList();
    }
}
