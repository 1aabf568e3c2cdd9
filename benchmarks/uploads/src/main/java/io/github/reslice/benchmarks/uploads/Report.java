package io.github.reslice.benchmarks.uploads;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was measured, beside the bars. */
final class Report {

    private static final double MIB = 1024 * 1024;

    private final double slack;
    private final List<String> missed = new ArrayList<>();
    private String title = "";

    /** {@code slack} is how many times its bar a figure may be that differs from run to run. */
    Report(double slack) {
        this.slack = slack;
    }

    /** Tells the bars that were missed once more, since their tables may be far above; true if there are any. */
    boolean tellMissed() {
        missed.forEach(row -> System.out.println("Missed: " + row));
        return !missed.isEmpty();
    }

    void costs(String title, Measured measured) {
        this.title = title;
        System.out.printf("%n### %s%n%n", title);
        System.out.printf(
                "| %-40s | %8s | %8s | %12s | %12s | %10s | %18s |%n",
                "median", "CPU ms", "wall ms", "allocated KB", "Reslice's KB", "direct MiB", "TLS records");
        System.out.println("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
        for (Contender contender : measured.rounds().keySet()) {
            Cost cost = measured.median(contender);
            System.out.printf(
                    Locale.ROOT,
                    "| %-40s | %8.0f | %8.0f | %,12.0f | %12s | %10.1f | %18s |%n",
                    contender.title,
                    cost.cpuMillis(),
                    cost.wallMillis(),
                    cost.bytes() / 1e3,
                    kilobytes(measured.ownBytes().getOrDefault(contender, -1L)),
                    cost.directBytes() / MIB,
                    measured.records(contender));
        }
        System.out.printf("%n| %-68s | %12s | %12s | %-5s |%n", "what", "bar", "measured", "");
        System.out.println("| --- | ---: | ---: | --- |");
    }

    private static String kilobytes(long bytes) {
        return bytes < 0 ? "" : String.format(Locale.ROOT, "%,.1f", bytes / 1e3);
    }

    void about(String what, double bar, double measured) {
        row(what, bar, measured, bar * slack);
    }

    void atMost(String what, double bar, double measured) {
        row(what, bar, measured, bar);
    }

    void note(String what, double measured) {
        print(what, "", number(measured), "");
    }

    private void row(String what, double bar, double measured, double limit) {
        if (measured > limit) {
            missed.add("%s: %s: %s, bar %s".formatted(title, what.strip(), number(measured), number(bar)));
        }
        print(
                what,
                "≤ " + number(bar),
                number(measured),
                measured <= bar ? "pass" : measured <= limit ? "above" : "FAIL");
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 100 ? "%.3f" : "%,.0f", value);
    }

    private static void print(String what, String bar, String measured, String verdict) {
        System.out.printf("| %-68s | %12s | %12s | %-5s |%n", what, bar, measured, verdict);
    }
}
