package io.github.reslice.benchmarks;

import java.util.Locale;

/** The table of what was measured, beside the bars. */
final class Report {

    private final double slack;
    private boolean failed;

    /** {@code slack} is the part of a speed's bar that a run must reach. */
    Report(double slack) {
        this.slack = slack;
    }

    boolean failed() {
        return failed;
    }

    void begin(String title) {
        System.out.printf("%n%s%n%n", title);
        print("what", "bar", "measured", "");
        print("---", "---", "---", "---");
    }

    void atLeast(String what, double bar, double measured) {
        row(what, "≥ " + number(bar), measured, measured >= bar, measured >= bar * slack);
    }

    /** For what scatters less than the others: half the slack. */
    void atLeastNearly(String what, double bar, double measured) {
        row(what, "≥ " + number(bar), measured, measured >= bar, measured >= bar * (1 + slack) / 2);
    }

    void atMost(String what, double bar, double measured) {
        row(what, "≤ " + number(bar), measured, measured <= bar, measured <= bar);
    }

    void note(String what, double measured) {
        print(what, "", number(measured), "");
    }

    private void row(String what, String bar, double measured, boolean reached, boolean passed) {
        failed |= !passed;
        print(what, bar, number(measured), reached ? "pass" : passed ? "below" : "FAIL");
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.0f", value);
    }

    private static void print(String what, String bar, String measured, String verdict) {
        System.out.printf("| %-68s | %10s | %10s | %-5s |%n", what, bar, measured, verdict);
    }
}
