package io.github.reslice.benchmarks;

import static io.github.reslice.benchmarks.Contender.AWS_SDK;
import static io.github.reslice.benchmarks.Contender.BARE_CHECKSUM;
import static io.github.reslice.benchmarks.Contender.BARE_CHECKSUM_OF_WIRE;
import static io.github.reslice.benchmarks.Contender.BARE_HASHES;
import static io.github.reslice.benchmarks.Contender.DECODING;
import static io.github.reslice.benchmarks.Contender.KNOWN_LENGTH;
import static io.github.reslice.benchmarks.Contender.SIGNED;
import static io.github.reslice.benchmarks.Contender.SIGNED_DECODING;
import static io.github.reslice.benchmarks.Contender.UNKNOWN_LENGTH;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How the figures change with each dimension, the others as in the {@link DesignTable}. None has a bar. */
final class Dimensions {

    private static final int KIB = 1024;
    private static final int MIB = 1024 * 1024;

    private static final List<Integer> BUFFER_SIZES = List.of(KIB, 4 * KIB, 16 * KIB, 64 * KIB, MIB, 64 * MIB);
    private static final List<Integer> CHUNK_SIZES = List.of(16 * KIB, 64 * KIB, 128 * KIB, MIB);
    private static final List<Long> LENGTHS = List.of(1L * MIB, 16L * MIB, 256L * MIB, 1024L * MIB, 4096L * MIB);

    /** The contenders, each beside the least that it can do. */
    private static final Map<Contender, Contender> BESIDE_THE_LEAST = new TreeMap<>(Map.of(
            KNOWN_LENGTH, BARE_CHECKSUM,
            UNKNOWN_LENGTH, BARE_CHECKSUM,
            SIGNED, BARE_HASHES,
            DECODING, BARE_CHECKSUM_OF_WIRE,
            SIGNED_DECODING, BARE_HASHES));

    private final Measuring measuring;
    private final Report report;

    Dimensions(Measuring measuring, Report report) {
        this.measuring = measuring;
        this.report = report;
    }

    void measure() {
        for (Memory memory : Memory.values()) {
            BESIDE_THE_LEAST.forEach((contender, least) -> {
                Pair pair = Pair.of(contender, least, memory);
                report.begin(contender + ", " + memory + ": speed of the least that it can do");
                for (int size : BUFFER_SIZES) {
                    speed("buffers of " + size / KIB + " KiB", pair.bufferSize(size));
                }
                for (int size : List.of(4 * KIB, 16 * KIB, MIB)) {
                    speed(
                            "straddling buffers of " + size / KIB + " KiB",
                            pair.bufferSize(size).withStraddlingBuffers());
                }
                for (int size : CHUNK_SIZES) {
                    speed("chunks of " + size / KIB + " KiB", pair.chunkSize(size));
                }
                for (Demand demand : Demand.values()) {
                    speed("asking " + demand, pair.asking(demand));
                }
            });
            report.begin(KNOWN_LENGTH + ", " + memory + ": speed of the AWS SDK");
            Pair sdk = Pair.of(KNOWN_LENGTH, AWS_SDK, memory);
            BUFFER_SIZES.forEach(size -> speed("buffers of " + size / KIB + " KiB", sdk.bufferSize(size)));
        }
        report.begin("How cost grows with the length, KNOWN_LENGTH, HEAP");
        for (long length : LENGTHS) {
            Measured measured = measuring.measure(
                    Pair.of(KNOWN_LENGTH, BARE_CHECKSUM, Memory.HEAP).length(length));
            report.note(length / MIB + " MiB: µs of CPU for each MiB", measured.micros() * MIB / length);
            report.note(length / MIB + " MiB: bytes allocated for each MiB", measured.bytes() * MIB / length);
        }
    }

    private void speed(String what, Pair pair) {
        report.note(what, measuring.measure(pair).speed());
    }
}
