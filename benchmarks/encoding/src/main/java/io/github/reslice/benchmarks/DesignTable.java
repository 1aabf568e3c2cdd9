package io.github.reslice.benchmarks;

import static io.github.reslice.benchmarks.Contender.AWS_SDK;
import static io.github.reslice.benchmarks.Contender.BARE_CHECKSUM;
import static io.github.reslice.benchmarks.Contender.BARE_CHECKSUM_OF_WIRE;
import static io.github.reslice.benchmarks.Contender.BARE_HASHES;
import static io.github.reslice.benchmarks.Contender.BARE_HASHES_OF_WIRE;
import static io.github.reslice.benchmarks.Contender.CRC64NVME;
import static io.github.reslice.benchmarks.Contender.DECODING;
import static io.github.reslice.benchmarks.Contender.KNOWN_LENGTH;
import static io.github.reslice.benchmarks.Contender.SIGNED;
import static io.github.reslice.benchmarks.Contender.SIGNED_DECODING;
import static io.github.reslice.benchmarks.Contender.SLICING_BY_8;
import static io.github.reslice.benchmarks.Contender.UNKNOWN_LENGTH;

/** The bars of the design, for one kind of memory. */
final class DesignTable {

    /** The part of the bare checksum's speed that an encoder is to reach. */
    private static final double OF_THE_CHECKSUM = 0.95;

    private static final double ASKING_BY_64 = 0.90;
    private static final double BESIDE_THE_SDK = 8;

    /**
     * Bytes that are allocated for a chunk: a quarter more than the most that was measured in any run, which hangs on what the compiler has
     * got to. That was 303 for signed, 400 for signed decoding, and 122 for decoding, without views.
     */
    private static final long SIGNED_A_CHUNK = 380;

    private static final long SIGNED_DECODING_A_CHUNK = 500;
    private static final long DECODING_A_CHUNK = 155;

    private static final long VIEW = 64;

    private final Measuring measuring;
    private final Report report;
    private final Memory memory;

    DesignTable(Measuring measuring, Report report, Memory memory) {
        this.measuring = measuring;
        this.report = report;
        this.memory = memory;
    }

    void check() {
        encoding();
        besideTheSdk();
        signed();
        decoding();
        report.atLeastNearly(
                memory + ": CRC64NVME, speed of slicing-by-8",
                1.8,
                measure(CRC64NVME, SLICING_BY_8).speed());
    }

    private Measured measure(Contender contender, Contender beside) {
        return measuring.measure(Pair.of(contender, beside, memory));
    }

    private void encoding() {
        Pair pair = Pair.of(KNOWN_LENGTH, BARE_CHECKSUM, memory);
        long framing = 64 * (pair.chunks() + 1) + 1024;
        long views = views(pair);

        Measured allAtOnce = measuring.measure(pair);
        report.atLeast(memory + ", all at once: speed of the bare checksum", OF_THE_CHECKSUM, allAtOnce.speed());
        report.atMost(memory + ", all at once: bytes allocated", framing + views, allAtOnce.bytes());

        Measured by64 = measuring.measure(pair.asking(Demand.BY_64));
        report.atLeast(memory + ", 64 by 64: speed of the bare checksum", ASKING_BY_64, by64.speed());
        report.atMost(memory + ", 64 by 64: bytes allocated", framing + views, by64.bytes());
    }

    /** The JDK's checksums read a direct buffer through a view, unless the compiler does without. */
    private long views(Pair pair) {
        return memory == Memory.HEAP ? 0 : VIEW * pair.buffers();
    }

    /** Of a wire, of which one buffer a chunk is read in two parts, before the framing and after it. */
    private long viewsAChunk(Pair pair) {
        return memory == Memory.HEAP ? 0 : VIEW + views(pair) / pair.chunks();
    }

    /** Eight times as fast, or where the checksum alone takes longer than that leaves, as fast as the checksum allows. */
    private void besideTheSdk() {
        double ceiling = measure(BARE_CHECKSUM, AWS_SDK).speed();
        Measured encoding = measure(KNOWN_LENGTH, AWS_SDK);
        report.note(memory + ": the bare checksum, speed of the AWS SDK", ceiling);
        report.atLeast(
                memory + ", all at once: speed of the AWS SDK",
                Math.min(BESIDE_THE_SDK, OF_THE_CHECKSUM * ceiling),
                encoding.speed());
        if (memory == Memory.HEAP) {
            report.atMost(
                    memory + ": part of the AWS SDK's allocation, in thousandths",
                    1,
                    1000 / encoding.allocationOfTheOther());
        }
    }

    private void signed() {
        Pair pair = Pair.of(SIGNED, BARE_HASHES, memory);
        Measured encoding = measuring.measure(pair);
        report.atLeast(memory + ", signed: speed of the bare SHA-256 and checksum", 0.90, encoding.speed());
        report.atMost(memory + ", signed: bytes allocated a chunk", SIGNED_A_CHUNK, encoding.bytes() / pair.chunks());
    }

    private void decoding() {
        Pair unsigned = Pair.of(DECODING, BARE_CHECKSUM_OF_WIRE, memory).straddling(true);
        Measured decoding = measuring.measure(unsigned);
        report.atLeast(memory + ", decoding: speed of the bare checksum", 0.90, decoding.speed());
        report.atMost(
                memory + ", decoding: bytes allocated a chunk",
                DECODING_A_CHUNK + viewsAChunk(unsigned),
                decoding.bytes() / unsigned.chunks());

        Measured signed = measuring.measure(
                Pair.of(SIGNED_DECODING, BARE_HASHES_OF_WIRE, memory).straddling(true));
        report.atLeast(memory + ", signed decoding: speed of the bare SHA-256 and checksum", 0.90, signed.speed());
        report.atMost(
                memory + ", signed decoding: bytes allocated a chunk",
                SIGNED_DECODING_A_CHUNK,
                signed.bytes() / unsigned.chunks());
    }

    /** The harder cases, for which the design has no bars. */
    void compareHarderCases() {
        report.note(
                memory + ", in the cache, all at once: speed of the bare checksum",
                measuring
                        .measure(Pair.of(KNOWN_LENGTH, BARE_CHECKSUM, memory).inTheCache())
                        .speed());
        Pair pair = Pair.of(UNKNOWN_LENGTH, BARE_CHECKSUM, memory);
        Measured allAtOnce = measuring.measure(pair);
        report.note(memory + ", length unknown, all at once: speed of the bare checksum", allAtOnce.speed());
        report.note(memory + ", length unknown, all at once: bytes allocated", allAtOnce.bytes());
        report.note(
                memory + ", length unknown, 64 by 64: speed of the bare checksum",
                measuring.measure(pair.asking(Demand.BY_64)).speed());
    }
}
