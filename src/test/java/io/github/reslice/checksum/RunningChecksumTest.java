package io.github.reslice.checksum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RunningChecksumTest {

    private static final List<TestBuffer> KINDS = List.of(TestBuffer.values());
    private static final int CASES = 60;
    private static final int UPDATES = 2000;

    @ParameterizedTest
    @EnumSource
    void givesTheSameHoweverTheBytesAreSlicedAndHeld(ChecksumAlgorithm algorithm) throws Exception {
        for (int seed = 0; seed < CASES; seed++) {
            Random random = new Random(seed);
            byte[] bytes = new byte[random.nextInt(20_000)];
            random.nextBytes(bytes);
            RunningChecksum checksum = algorithm.start();
            for (int from = 0; from < bytes.length; ) {
                int length = Math.min(random.nextInt(random.nextBoolean() ? 20 : 9000), bytes.length - from);
                TestBuffer kind = KINDS.get(random.nextInt(KINDS.size()));
                checksum.update(kind.of(bytes, from, length));
                from += length;
            }
            assertThat(checksum.digest())
                    .as("%s, seed %d, %d bytes", algorithm, seed, bytes.length)
                    .isEqualTo(expected(algorithm, bytes));
        }
    }

    @ParameterizedTest
    @EnumSource
    void consumesEveryKindOfBuffer(ChecksumAlgorithm algorithm) throws Exception {
        byte[] bytes = new byte[10_001];
        new Random(4).nextBytes(bytes);
        for (TestBuffer kind : TestBuffer.values()) {
            ByteBuffer buffer = kind.of(bytes);
            int limit = buffer.limit();
            RunningChecksum checksum = algorithm.start();
            checksum.consume(buffer);
            assertThat(checksum.digest()).as("%s", kind).isEqualTo(expected(algorithm, bytes));
            assertThat(buffer.position()).as("%s", kind).isEqualTo(limit);
            assertThat(buffer.limit()).as("%s", kind).isEqualTo(limit);
            assertThat(buffer.order()).as("%s", kind).isEqualTo(ByteOrder.BIG_ENDIAN);
        }
    }

    @ParameterizedTest
    @EnumSource
    void leavesEveryKindOfBufferUntouched(ChecksumAlgorithm algorithm) {
        byte[] bytes = new byte[10_000];
        new Random(1).nextBytes(bytes);
        for (TestBuffer kind : TestBuffer.values()) {
            ByteBuffer buffer = kind.of(bytes).mark();
            ByteBuffer before = buffer.duplicate();
            byte[] content = contentOf(buffer);
            algorithm.start().update(buffer);
            assertThat(buffer.position()).as("%s", kind).isEqualTo(before.position());
            assertThat(buffer.limit()).as("%s", kind).isEqualTo(before.limit());
            assertThat(buffer.order()).as("%s", kind).isEqualTo(ByteOrder.BIG_ENDIAN);
            assertThat(contentOf(buffer)).as("%s", kind).isEqualTo(content);
        }
    }

    @ParameterizedTest
    @EnumSource
    void readsABufferWhateverItsByteOrder(ChecksumAlgorithm algorithm) throws Exception {
        byte[] bytes = new byte[5000];
        new Random(2).nextBytes(bytes);
        for (TestBuffer kind : TestBuffer.values()) {
            RunningChecksum checksum = algorithm.start();
            checksum.update(kind.of(bytes).order(ByteOrder.LITTLE_ENDIAN));
            assertThat(checksum.digest()).as("%s", kind).isEqualTo(expected(algorithm, bytes));
        }
    }

    // a buffer that is moved even for a moment shows it to the other thread
    @ParameterizedTest
    @EnumSource
    void twoThreadsReadTheSameBufferAtOnce(ChecksumAlgorithm algorithm) throws Exception {
        byte[] bytes = new byte[6000];
        new Random(3).nextBytes(bytes);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (TestBuffer kind : TestBuffer.values()) {
                ByteBuffer shared = kind.of(bytes);
                CountDownLatch bothReady = new CountDownLatch(2);
                Callable<byte[]> reader = () -> {
                    RunningChecksum checksum = algorithm.start();
                    bothReady.countDown();
                    bothReady.await();
                    for (int i = 0; i < 200; i++) {
                        checksum.update(shared);
                    }
                    return checksum.digest();
                };
                RunningChecksum alone = algorithm.start();
                for (int i = 0; i < 200; i++) {
                    alone.update(bytes, 0, bytes.length);
                }
                byte[] expected = alone.digest();
                List<Future<byte[]>> results = new ArrayList<>(List.of(threads.submit(reader), threads.submit(reader)));
                for (Future<byte[]> result : results) {
                    assertThat(result.get()).as("%s", kind).isEqualTo(expected);
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void startsFreshEachTime(ChecksumAlgorithm algorithm) {
        RunningChecksum first = algorithm.start();
        first.update(new byte[] {1, 2, 3}, 0, 3);
        RunningChecksum second = algorithm.start();
        assertThat(second.base64()).isEqualTo(algorithm.start().base64());
        assertThat(first.base64()).isNotEqualTo(algorithm.start().base64());
    }

    @ParameterizedTest
    @EnumSource
    void canBeEndedOnlyOnce(ChecksumAlgorithm algorithm) {
        RunningChecksum checksum = algorithm.start();
        assertThat(checksum.base64()).isNotEmpty();
        assertThatIllegalStateException().isThrownBy(checksum::base64);
        assertThatIllegalStateException().isThrownBy(checksum::digest);
        assertThatIllegalStateException().isThrownBy(() -> checksum.update(ByteBuffer.allocate(1)));
        assertThatIllegalStateException().isThrownBy(() -> checksum.update(new byte[1], 0, 1));
    }

    @ParameterizedTest
    @EnumSource
    void readsARangeWhereverPositionAndLimitAre(ChecksumAlgorithm algorithm) throws Exception {
        byte[] bytes = new byte[10_001];
        new Random(5).nextBytes(bytes);
        for (TestBuffer kind : TestBuffer.values()) {
            ByteBuffer buffer = kind.of(bytes);
            int start = buffer.position();
            buffer.clear();
            for (int moved : new int[] {0, start + 5000, buffer.capacity()}) {
                ByteBuffer seen = buffer.duplicate().limit(moved).position(moved);
                RunningChecksum checksum = algorithm.start();
                checksum.update(seen, start, bytes.length);
                assertThat(checksum.digest())
                        .as("%s, position and limit at %d", kind, moved)
                        .isEqualTo(expected(algorithm, bytes));
                assertThat(seen.position()).as("%s", kind).isEqualTo(moved);
                assertThat(seen.limit()).as("%s", kind).isEqualTo(moved);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesARangeOutsideTheCapacityAndAddsNothing(ChecksumAlgorithm algorithm) throws Exception {
        for (TestBuffer kind : TestBuffer.values()) {
            ByteBuffer buffer = kind.of(new byte[5000]);
            int capacity = buffer.capacity();
            int[][] ranges = {{-1, 1}, {0, -1}, {0, capacity + 1}, {1, capacity}, {capacity, 1}, {1, Integer.MAX_VALUE}
            };
            RunningChecksum checksum = algorithm.start();
            for (int[] range : ranges) {
                assertThatExceptionOfType(IndexOutOfBoundsException.class)
                        .as("%s, %d bytes from %d", kind, range[1], range[0])
                        .isThrownBy(() -> checksum.update(buffer, range[0], range[1]));
            }
            assertThat(checksum.digest()).as("%s", kind).isEqualTo(expected(algorithm, new byte[0]));
        }
    }

    @Test
    void refusesARangeOutsideTheArray() {
        RunningChecksum checksum = ChecksumAlgorithm.CRC64NVME.start();
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> checksum.update(new byte[10], 5, 6));
    }

    @ParameterizedTest
    @EnumSource
    void allocatesNothingForAHeapBuffer(ChecksumAlgorithm algorithm) {
        assertThat(allocatedBy(algorithm, TestBuffer.HEAP)).isLessThan(1024);
    }

    @ParameterizedTest
    @EnumSource
    void allocatesNothingForAReadOnlyHeapBufferButItsScratch(ChecksumAlgorithm algorithm) {
        assertThat(allocatedBy(algorithm, TestBuffer.READ_ONLY_HEAP)).isLessThan(1024);
    }

    @ParameterizedTest
    @EnumSource
    void allocatesNothingButViewsForADirectBuffer(ChecksumAlgorithm algorithm) {
        int views = algorithm == ChecksumAlgorithm.CRC64NVME ? 2 : 1;
        assertThat(allocatedBy(algorithm, TestBuffer.DIRECT)).isLessThan(views * 64 * UPDATES + 1024);
    }

    private static long allocatedBy(ChecksumAlgorithm algorithm, TestBuffer kind) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        ByteBuffer buffer = kind.of(new byte[5000]);
        RunningChecksum checksum = algorithm.start();
        long least = Long.MAX_VALUE; // the runtime itself may allocate once, on the same thread
        for (int round = 0; round < 3; round++) {
            long before = threads.getThreadAllocatedBytes(self);
            for (int i = 0; i < UPDATES; i++) {
                checksum.update(buffer);
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
        }
        return least;
    }

    private static byte[] expected(ChecksumAlgorithm algorithm, byte[] bytes) throws Exception {
        return switch (algorithm) {
            case CRC32 -> of(new CRC32(), bytes);
            case CRC32C -> of(new CRC32C(), bytes);
            case CRC64NVME -> HexFormat.of().parseHex(HexFormat.of().toHexDigits(BitwiseCrc64.of(bytes)));
            case SHA1 -> MessageDigest.getInstance("SHA-1").digest(bytes);
            case SHA256 -> MessageDigest.getInstance("SHA-256").digest(bytes);
            case SHA512 -> MessageDigest.getInstance("SHA-512").digest(bytes);
            case MD5 -> MessageDigest.getInstance("MD5").digest(bytes);
            case XXHASH64 -> bigEndian(Hashing.xxh64().hashBytesToLong(bytes));
            case XXHASH3 -> bigEndian(Hashing.xxh3_64().hashBytesToLong(bytes));
            case XXHASH128 -> {
                HashValue128 value = Hashing.xxh3_128().hashBytesTo128Bits(bytes);
                yield bigEndian(value.getMostSignificantBits(), value.getLeastSignificantBits());
            }
        };
    }

    private static byte[] of(Checksum crc, byte[] bytes) {
        crc.update(bytes);
        return HexFormat.of().parseHex(HexFormat.of().toHexDigits((int) crc.getValue()));
    }

    private static byte[] bigEndian(long... words) {
        ByteBuffer bytes = ByteBuffer.allocate(words.length * Long.BYTES);
        bytes.asLongBuffer().put(words);
        return bytes.array();
    }

    private static byte[] contentOf(ByteBuffer buffer) {
        byte[] content = new byte[buffer.capacity()];
        buffer.duplicate().clear().get(content);
        return content;
    }
}
