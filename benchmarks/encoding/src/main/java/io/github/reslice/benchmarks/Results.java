package io.github.reslice.benchmarks;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** All that was measured in a run. */
final class Results {

    private final List<RunResult> runs = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();

    /** A pair's medians. */
    record Row(@JsonUnwrapped Pair pair, @JsonUnwrapped Measured medians) {}

    /** A run's medians. */
    record Run(String form, String java, String arch, int processors, List<Row> pairs) {}

    void add(RunResult run) {
        runs.add(run);
    }

    void add(Pair pair, Measured measured) {
        rows.add(new Row(pair, measured));
    }

    /** JMH's own results, with each iteration's. */
    void writeRunsTo(File json) {
        ResultFormatFactory.getInstance(ResultFormatType.JSON, json.getPath()).writeOut(runs);
    }

    /** The medians of the pairs, which the charts are drawn from. */
    void writePairsTo(File json, Form form) {
        Run run = new Run(
                form.name().toLowerCase(Locale.ROOT),
                System.getProperty("java.runtime.version"),
                System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                rows);
        JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValue(json, run);
    }
}
