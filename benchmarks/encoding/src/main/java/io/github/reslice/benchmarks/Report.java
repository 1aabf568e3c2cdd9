package io.github.reslice.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The table of what was measured, beside the bars. Every number is the median of the rounds. */
final class Report {

    private static final long CHUNKS = Payload.LENGTH / EncodingBenchmark.CHUNK_SIZE;
    private static final long FRAMING = 64 * (CHUNKS + 1) + 1024;
    private static final long VIEWS_OF_DIRECT = 64L * Payload.BUFFERS;

    /** The part of the bare checksum's speed that an encoder is to reach. */
    private static final double OF_THE_CHECKSUM = 0.95;

    private final List<Round> rounds;
    private final double slack;
    private boolean failed;

    Report(List<Round> rounds, double slack) {
        this.rounds = rounds;
        this.slack = slack;
    }

    boolean failed() {
        return failed;
    }

    void print() {
        System.out.printf(
                Locale.ROOT,
                "%n64 MiB in 16 KiB buffers, 128 KiB chunks, CRC32C; Java %s, %s%n%n",
                System.getProperty("java.runtime.version"),
                System.getProperty("os.arch"));
        printRow("what", "bar", "measured", "");
        printRow("---", "---", "---", "---");
        for (Payload.Memory memory : Payload.Memory.values()) {
            String encoder = "EncodingBenchmark.%s " + memory;
            String bare = encoder.formatted("bareChecksum");
            String allAtOnce = encoder.formatted("knownLengthAllAtOnce");
            String by64 = encoder.formatted("knownLengthBy64");
            String sdk = encoder.formatted("awsSdk");
            long allowed = memory == Payload.Memory.HEAP ? FRAMING : FRAMING + VIEWS_OF_DIRECT;

            atLeast(memory + ", all at once: speed of the bare checksum", OF_THE_CHECKSUM, speed(allAtOnce, bare));
            atLeast(memory + ", 64 by 64: speed of the bare checksum", 0.90, speed(by64, bare));
            besideTheSdk(memory, sdk, allAtOnce, bare);
            if (memory == Payload.Memory.HEAP) {
                row(
                        memory + ": the AWS SDK's allocation to ours",
                        1000,
                        1000,
                        round -> round.bytes(sdk) / round.bytes(allAtOnce));
            }
            atMost(memory + ", all at once: bytes allocated", allowed, round -> round.bytes(allAtOnce));
            atMost(memory + ", 64 by 64: bytes allocated", allowed, round -> round.bytes(by64));

            String unknown = encoder.formatted("unknownLengthAllAtOnce");
            String unknownBy64 = encoder.formatted("unknownLengthBy64");
            note(memory + ", length unknown, all at once: speed of the bare checksum", speed(unknown, bare));
            note(memory + ", length unknown, 64 by 64: speed of the bare checksum", speed(unknownBy64, bare));
            note(memory + ", length unknown, all at once: bytes allocated", round -> round.bytes(unknown));
            note(
                    memory + ", in the cache, all at once: speed of the bare checksum",
                    speed(encoder.formatted("knownLengthInCache"), encoder.formatted("bareChecksumInCache")));
            note(memory + ": the bare checksum, µs of CPU", round -> round.micros(bare));

            signedAndDecoding(memory);

            atLeast(
                    memory + ": CRC64NVME, speed of slicing-by-8",
                    1.8,
                    speed("Crc64NvmeBenchmark.library " + memory, "Crc64NvmeBenchmark.slicingBy8 " + memory));
        }
    }

    /** Eight times as fast, or where the checksum alone takes longer than that leaves, as fast as the checksum allows. */
    private void besideTheSdk(Payload.Memory memory, String sdk, String encoder, String bare) {
        double ceiling = median(speed(bare, sdk));
        atLeast(
                memory + ", all at once: speed of the AWS SDK",
                Math.min(8, OF_THE_CHECKSUM * ceiling),
                speed(encoder, sdk));
        note(memory + ": the bare checksum, speed of the AWS SDK", speed(bare, sdk));
    }

    private void signedAndDecoding(Payload.Memory memory) {
        String benchmark = "SignedAndDecodingBenchmark.%s " + memory;
        String bareChecksum = benchmark.formatted("bareChecksum");
        String bareHashes = benchmark.formatted("bareHashes");
        String encoding = benchmark.formatted("signedEncoding");
        String decoding = benchmark.formatted("decoding");
        String signedDecoding = benchmark.formatted("signedDecoding");

        atLeast(memory + ", decoding: speed of the bare checksum", 0.90, speed(decoding, bareChecksum));
        atLeast(memory + ", signed: speed of the bare SHA-256 and checksum", 0.90, speed(encoding, bareHashes));
        atLeast(memory + ", signed decoding: the same", 0.90, speed(signedDecoding, bareHashes));
        atMost(memory + ", signed: bytes allocated a chunk", 512, round -> round.bytes(encoding) / CHUNKS);
        atMost(memory + ", decoding: bytes allocated a chunk", 512, round -> round.bytes(decoding) / CHUNKS);
        atMost(
                memory + ", signed decoding: bytes allocated a chunk",
                512,
                round -> round.bytes(signedDecoding) / CHUNKS);
    }

    private static ToDoubleFunction<Round> speed(String benchmark, String reference) {
        return round -> round.micros(reference) / round.micros(benchmark);
    }

    private void atLeast(String what, double bar, ToDoubleFunction<Round> speed) {
        row(what, bar, bar * slack, speed);
    }

    private void row(String what, double bar, double floor, ToDoubleFunction<Round> ratio) {
        double measured = median(ratio);
        row(what, "≥ " + number(bar), measured, measured >= bar, measured >= floor);
    }

    private void atMost(String what, long bar, ToDoubleFunction<Round> bytes) {
        double measured = median(bytes);
        row(what, "≤ " + bar, measured, measured <= bar, measured <= bar);
    }

    private void row(String what, String bar, double measured, boolean reached, boolean passed) {
        failed |= !passed;
        printRow(what, bar, number(measured), reached ? "pass" : passed ? "below" : "FAIL");
    }

    private void note(String what, ToDoubleFunction<Round> value) {
        printRow(what, "", number(median(value)), "");
    }

    private double median(ToDoubleFunction<Round> value) {
        double[] sorted = rounds.stream().mapToDouble(value).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.0f", value);
    }

    private static void printRow(String what, String bar, String measured, String verdict) {
        System.out.printf("| %-68s | %10s | %10s | %-4s |%n", what, bar, measured, verdict);
    }
}
