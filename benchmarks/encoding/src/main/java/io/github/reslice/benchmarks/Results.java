package io.github.reslice.benchmarks;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** All that was measured in a run. The medians of the pairs are in a file as soon as they are there. */
final class Results {

    private final Form form;
    private final Path directory;
    private final List<RunResult> runs = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();

    /** A pair's medians. */
    record Row(@JsonUnwrapped Pair pair, @JsonUnwrapped Measured medians) {}

    /** A run's medians. */
    record Run(String form, String java, String arch, int processors, List<Row> pairs) {}

    Results(Form form, Path directory) {
        this.form = form;
        this.directory = directory;
    }

    void add(RunResult run) {
        runs.add(run);
    }

    void add(Pair pair, Measured measured) {
        rows.add(new Row(pair, measured));
        try {
            writePairs();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Beside the file first, so that it is whole whenever the run is stopped. The charts are drawn from it. */
    private void writePairs() throws IOException {
        Run run = new Run(
                form.name().toLowerCase(Locale.ROOT),
                System.getProperty("java.runtime.version"),
                System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                rows);
        Path part = directory.resolve("encoding.json.part");
        JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValue(part, run);
        Files.move(part, directory.resolve("encoding.json"), StandardCopyOption.REPLACE_EXISTING);
    }

    /** JMH's own results, with each iteration's. */
    void writeRuns(String file) {
        ResultFormatFactory.getInstance(
                        ResultFormatType.JSON, directory.resolve(file).toString())
                .writeOut(runs);
    }
}
