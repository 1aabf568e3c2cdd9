package io.github.reslice.benchmarks.charts;

import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A benchmark's medians, as it has written them. */
final class ResultFile {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private ResultFile() {}

    static <T> T read(Path json, Class<T> type) {
        if (!Files.exists(json)) {
            throw new MissingResultException("No file " + json
                    + ": the benchmark leaves one of that name in its target directory, to be copied there.");
        }
        return MAPPER.readValue(json, type);
    }

    /** Another form measures too briefly, or too little, for a chart. */
    static void requireFullForm(Path json, String form) {
        if (!"full".equals(form)) {
            throw new MissingResultException("The results in " + json + " are of the form " + form
                    + ", and the charts are of the full form: run the benchmark without -Dform, and copy what"
                    + " it leaves.");
        }
    }
}
