package io.github.reslice.benchmarks.charts;

import java.nio.file.Path;
import java.util.List;

/** What encoding and decoding have cost. */
record Encoding(String form, String java, String arch, List<Pair> pairs) {

    static final String HEAP = "HEAP";
    static final String DIRECT = "DIRECT";
    static final List<String> MEMORIES = List.of(HEAP, DIRECT);
    static final long LENGTH = 64L * 1024 * 1024;

    /** A contender and what it was measured beside. */
    record Pair(
            String contender,
            String beside,
            String demand,
            String memory,
            long length,
            int bufferSize,
            int chunkSize,
            boolean straddling,
            long distinct,
            int uploads,
            double speed,
            double micros,
            double bytes,
            double otherMicros,
            double otherBytes) {}

    static Encoding read(Path json) {
        Encoding results = ResultFile.read(json, Encoding.class);
        ResultFile.requireFullForm(json, results.form);
        return results;
    }

    /** On the usual body, asked for all at once. */
    Pair pair(String contender, String beside, String memory) {
        return find(contender, beside, memory, "ALL_AT_ONCE", LENGTH);
    }

    Pair by64(String contender, String beside, String memory) {
        return find(contender, beside, memory, "BY_64", LENGTH);
    }

    Pair ofLength(long length, String contender, String beside, String memory) {
        return find(contender, beside, memory, "ALL_AT_ONCE", length);
    }

    /** In buffers of 16 KiB and chunks of 128 KiB; what is decoded is cut without regard to the framing. */
    private Pair find(String contender, String beside, String memory, String demand, long length) {
        boolean straddling = contender.endsWith("DECODING");
        return pairs.stream()
                .filter(pair -> pair.contender.equals(contender)
                        && pair.beside.equals(beside)
                        && pair.memory.equals(memory)
                        && pair.demand.equals(demand)
                        && pair.length == length
                        && pair.bufferSize == 16 * 1024
                        && pair.chunkSize == 128 * 1024
                        && pair.straddling == straddling
                        && pair.distinct == LENGTH
                        && pair.uploads == 1)
                .findFirst()
                .orElseThrow(() -> new MissingResultException(
                        "The encoding results have no %s beside %s, %s, %s, of %d bytes: the run left them out, or was stopped."
                                .formatted(contender, beside, memory, demand, length)));
    }
}
