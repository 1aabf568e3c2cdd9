package io.github.reslice.benchmarks;

import static io.github.reslice.benchmarks.Contender.AWS_SDK;
import static io.github.reslice.benchmarks.Contender.AWS_SDK_IN_TURN;
import static io.github.reslice.benchmarks.Contender.AWS_SDK_SIGNED;
import static io.github.reslice.benchmarks.Contender.BARE_CHECKSUM;
import static io.github.reslice.benchmarks.Contender.BARE_CHECKSUM_IN_TURN;
import static io.github.reslice.benchmarks.Contender.BARE_CHECKSUM_OF_WIRE;
import static io.github.reslice.benchmarks.Contender.BARE_CHECKSUM_OF_WIRE_IN_TURN;
import static io.github.reslice.benchmarks.Contender.BARE_HASHES;
import static io.github.reslice.benchmarks.Contender.BARE_HASHES_OF_WIRE;
import static io.github.reslice.benchmarks.Contender.DECODING;
import static io.github.reslice.benchmarks.Contender.DECODING_IN_TURN;
import static io.github.reslice.benchmarks.Contender.KNOWN_LENGTH;
import static io.github.reslice.benchmarks.Contender.KNOWN_LENGTH_IN_TURN;
import static io.github.reslice.benchmarks.Contender.SIGNED;
import static io.github.reslice.benchmarks.Contender.SIGNED_DECODING;
import static io.github.reslice.benchmarks.Contender.SIGNED_UNKNOWN_LENGTH;
import static io.github.reslice.benchmarks.Contender.UNKNOWN_LENGTH;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How the figures change with each dimension, the others as in the {@link DesignTable}. None has a bar. */
final class Dimensions {

    private static final int KIB = 1024;
    private static final int MIB = 1024 * 1024;

    private static final List<Integer> BUFFER_SIZES = List.of(KIB, 4 * KIB, 16 * KIB, 64 * KIB, MIB, 64 * MIB);
    private static final List<Integer> CHUNK_SIZES = List.of(16 * KIB, 64 * KIB, 128 * KIB, MIB);
    private static final List<Long> LENGTHS =
            List.of(1L * MIB, 4L * MIB, 16L * MIB, 64L * MIB, 256L * MIB, 1024L * MIB, 4096L * MIB);
    private static final List<Integer> UPLOADS = List.of(1, 16, 256);

    private final Measuring measuring;
    private final Report report;
    private final Map<Pair, Measured> measured = new HashMap<>();

    Dimensions(Measuring measuring, Report report) {
        this.measuring = measuring;
        this.report = report;
    }

    void measure(List<Dimension> dimensions) {
        for (Dimension dimension : dimensions) {
            for (Memory memory : Memory.values()) {
                switch (dimension) {
                    case BUFFERS -> pairs(memory).forEach(this::buffers);
                    case CHUNKS -> pairs(memory).forEach(this::chunks);
                    case DEMAND -> pairs(memory).forEach(this::demand);
                    case LENGTHS -> {
                        lengths(Pair.of(KNOWN_LENGTH, BARE_CHECKSUM, memory));
                        lengths(Pair.of(KNOWN_LENGTH, AWS_SDK, memory));
                        lengths(Pair.of(DECODING, BARE_CHECKSUM_OF_WIRE, memory));
                    }
                    case UPLOADS -> {
                        uploadsAtOnce(Pair.of(KNOWN_LENGTH_IN_TURN, BARE_CHECKSUM_IN_TURN, memory));
                        uploadsAtOnce(Pair.of(KNOWN_LENGTH_IN_TURN, AWS_SDK_IN_TURN, memory));
                        uploadsAtOnce(Pair.of(DECODING_IN_TURN, BARE_CHECKSUM_OF_WIRE_IN_TURN, memory));
                    }
                }
            }
        }
    }

    private static List<Pair> pairs(Memory memory) {
        return List.of(
                Pair.of(KNOWN_LENGTH, BARE_CHECKSUM, memory),
                Pair.of(KNOWN_LENGTH, AWS_SDK, memory),
                Pair.of(UNKNOWN_LENGTH, BARE_CHECKSUM, memory),
                Pair.of(SIGNED, BARE_HASHES, memory),
                Pair.of(SIGNED, AWS_SDK_SIGNED, memory),
                Pair.of(SIGNED_UNKNOWN_LENGTH, BARE_HASHES, memory),
                Pair.of(SIGNED_UNKNOWN_LENGTH, AWS_SDK_SIGNED, memory),
                Pair.of(DECODING, BARE_CHECKSUM_OF_WIRE, memory).straddling(true),
                Pair.of(SIGNED_DECODING, BARE_HASHES_OF_WIRE, memory).straddling(true));
    }

    private void buffers(Pair pair) {
        begin("Speed, by buffers", pair);
        for (boolean straddling : new boolean[] {false, true}) {
            for (int size : BUFFER_SIZES) {
                speed(
                        "%s, %d KiB".formatted(straddling ? "straddling" : "aligned", size / KIB),
                        pair.straddling(straddling).bufferSize(size));
            }
        }
    }

    private void chunks(Pair pair) {
        begin("Speed, by chunks", pair);
        for (int size : CHUNK_SIZES) {
            speed(size / KIB + " KiB", pair.chunkSize(size));
        }
    }

    private void demand(Pair pair) {
        begin("Speed, by demand", pair);
        for (Demand demand : Demand.values()) {
            speed(demand.name(), pair.asking(demand));
        }
    }

    private void lengths(Pair pair) {
        begin("How cost grows with the length", pair);
        for (long length : LENGTHS) {
            Measured cost = measure(pair.length(length));
            String what = length / MIB + " MiB: ";
            report.note(what + "speed of the other", cost.speed());
            report.note(what + "µs of CPU for each MiB", cost.micros() * MIB / length);
            report.note(what + "bytes allocated", cost.bytes());
            report.note(what + "bytes allocated by the other", cost.otherBytes());
        }
    }

    private void uploadsAtOnce(Pair pair) {
        begin("How cost grows with the number of uploads at once", pair);
        for (int uploads : UPLOADS) {
            Measured cost = measure(pair.uploads(uploads));
            String what = uploads + " at once: ";
            report.note(what + "speed of the other", cost.speed());
            report.note(what + "µs of CPU for each upload", cost.micros() / uploads);
            report.note(what + "bytes allocated for each upload", cost.bytes() / uploads);
            report.note(what + "bytes allocated by the other for each upload", cost.otherBytes() / uploads);
        }
    }

    private void begin(String title, Pair pair) {
        report.begin("%s, %s, %s, beside %s".formatted(title, pair.contender(), pair.memory(), pair.beside()));
    }

    private void speed(String what, Pair pair) {
        report.note(what, measure(pair).speed());
    }

    /** What is in several rows is measured once. */
    private Measured measure(Pair pair) {
        return measured.computeIfAbsent(pair, measuring::measure);
    }
}
