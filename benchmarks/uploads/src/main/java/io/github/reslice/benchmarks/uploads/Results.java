package io.github.reslice.benchmarks.uploads;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.reslice.checksum.ChecksumAlgorithm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The medians of a run, which the charts are drawn from. */
final class Results {

    private final Form form;
    private final Path file;
    private final List<Row> rows = new ArrayList<>();

    Results(Form form, Path directory) {
        this.form = form;
        file = directory.resolve(form.file);
    }

    /** What a contender took in one setting, in the median but for records, and of it what the library itself allocated, where it is in it and was counted. */
    record Row(
            Over over,
            int mib,
            int bufferSize,
            Memory memory,
            ChecksumAlgorithm checksum,
            int chunkSize,
            int rounds,
            Contender contender,
            String title,
            @JsonUnwrapped @JsonIgnoreProperties("records") Cost median,
            Records records,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Long ownBytes) {}

    /** A run's medians. */
    record Run(String form, String java, String arch, int processors, List<Row> uploads) {}

    void add(Setting setting, int rounds, Measured measured) {
        for (Contender contender : measured.rounds().keySet()) {
            Long ownBytes = measured.ownBytes().get(contender);
            rows.add(new Row(
                    setting.over(),
                    setting.mib(),
                    setting.bufferSize(),
                    setting.memory(),
                    setting.checksum(),
                    setting.chunkSize(),
                    rounds,
                    contender,
                    contender.title,
                    measured.median(contender),
                    measured.records(contender),
                    ownBytes == null || ownBytes < 0 ? null : ownBytes));
        }
    }

    /** Beside it first, so that the file is whole whenever the run is stopped. */
    void write() throws IOException {
        Run run = new Run(
                form.name().toLowerCase(Locale.ROOT),
                System.getProperty("java.runtime.version"),
                System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                rows);
        Path part = file.resolveSibling(form.file + ".part");
        JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValue(part, run);
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
