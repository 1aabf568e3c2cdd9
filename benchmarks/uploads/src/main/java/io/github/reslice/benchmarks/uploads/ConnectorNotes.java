package io.github.reslice.benchmarks.uploads;

import static io.github.reslice.benchmarks.uploads.Contender.APACHE_FILTER;
import static io.github.reslice.benchmarks.uploads.Contender.APACHE_JOINED;
import static io.github.reslice.benchmarks.uploads.Contender.APACHE_RAW;
import static io.github.reslice.benchmarks.uploads.Contender.JDK_FILTER;
import static io.github.reslice.benchmarks.uploads.Contender.JDK_JOINED;
import static io.github.reslice.benchmarks.uploads.Contender.JDK_RAW;
import static io.github.reslice.benchmarks.uploads.Contender.JETTY_FILTER;
import static io.github.reslice.benchmarks.uploads.Contender.JETTY_JOINED;
import static io.github.reslice.benchmarks.uploads.Contender.JETTY_RAW;
import static io.github.reslice.benchmarks.uploads.Contender.WEBCLIENT_FILTER;
import static io.github.reslice.benchmarks.uploads.Contender.WEBCLIENT_JOINED;
import static io.github.reslice.benchmarks.uploads.Contender.WEBCLIENT_RAW;

/** What the filter takes over each connector beside the raw body, and what joining small pieces changes; no bars. */
final class ConnectorNotes {

    private final Report report;
    private final Measured measured;

    ConnectorNotes(Report report, Measured measured) {
        this.report = report;
        this.measured = measured;
    }

    void print() {
        print("Reactor Netty's", WEBCLIENT_RAW, WEBCLIENT_FILTER, WEBCLIENT_JOINED);
        print("the JDK's", JDK_RAW, JDK_FILTER, JDK_JOINED);
        print("Jetty's", JETTY_RAW, JETTY_FILTER, JETTY_JOINED);
        print("Apache's", APACHE_RAW, APACHE_FILTER, APACHE_JOINED);
    }

    private void print(String connector, Contender raw, Contender filter, Contender joined) {
        compare(connector + " with the filter", filter, "the raw body", raw);
        compare(connector + " joining", joined, "the raw body", raw);
        compare(connector + " joining", joined, "the same without joining", filter);
    }

    private void compare(String what, Contender contender, String to, Contender other) {
        if (measured.has(contender) && measured.has(other)) {
            report.note(what + ": CPU of " + to, measured.ratio(contender, other, Cost::cpuMillis));
            report.note(what + ": allocation of " + to, measured.ratio(contender, other, Cost::bytes));
        }
    }
}
