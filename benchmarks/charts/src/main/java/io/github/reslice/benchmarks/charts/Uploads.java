package io.github.reslice.benchmarks.charts;

import java.nio.file.Path;
import java.util.List;

/** What whole uploads have cost. */
record Uploads(String form, String java, String arch, List<Upload> uploads) {

    /** A contender's medians in one setting. */
    record Upload(
            String over, int mib, int bufferSize, String checksum, String contender, String title, double cpuMillis) {

        double cpuMillisPerMib() {
            return cpuMillis / mib;
        }
    }

    static Uploads read(Path json) {
        Uploads results = ResultFile.read(json, Uploads.class);
        ResultFile.requireFullForm(json, results.form);
        return results;
    }

    List<Upload> over(String over) {
        List<Upload> found =
                uploads.stream().filter(upload -> upload.over.equals(over)).toList();
        if (found.isEmpty()) {
            throw new MissingResultException("The results of uploads have none over " + over + ".");
        }
        return found;
    }
}
