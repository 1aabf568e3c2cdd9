package io.github.reslice.checksum;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.reslice.checksum.CrcCombination.Part;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class CrcCombinationTest {

    private static final int CASES = 200;
    private static final long FIVE_TIB = 5L << 40;

    @ParameterizedTest
    @CsvSource({"CRC32, DUoRhQ==", "CRC32C, yZRlqg==", "CRC64NVME, jSnVw/bqjr4="})
    void givesTheValueThatBotocoreExpectsOfHelloWorld(ChecksumAlgorithm algorithm, String value) {
        String hello = crc(algorithm, "hello ".getBytes(US_ASCII));
        String world = crc(algorithm, "world".getBytes(US_ASCII));
        assertThat(CrcCombination.of(algorithm).combine(hello, world, 5)).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({"CRC32, sK4Y7A==", "CRC32C, sOO8/Q==", "CRC64NVME, pRf+emrnL+A="})
    void givesTheValueOfTheReferencesExampleBody(ChecksumAlgorithm algorithm, String value) {
        byte[] bytes = new byte[66560];
        Arrays.fill(bytes, (byte) 'a');
        String first = crc(algorithm, Arrays.copyOf(bytes, 65536));
        String second = crc(algorithm, Arrays.copyOf(bytes, 1024));
        assertThat(CrcCombination.of(algorithm).combine(first, second, 1024)).isEqualTo(value);
    }

    @ParameterizedTest
    @EnumSource(names = "CRC.*", mode = Mode.MATCH_ALL)
    void agreesWithTheChecksumOfTheWhole(ChecksumAlgorithm algorithm) {
        CrcCombination combination = CrcCombination.of(algorithm);
        for (int seed = 0; seed < CASES; seed++) {
            Random random = new Random(seed);
            byte[] bytes = new byte[random.nextInt(5000)];
            random.nextBytes(bytes);
            int cut = random.nextInt(bytes.length + 1);
            String first = crc(algorithm, Arrays.copyOf(bytes, cut));
            String second = crc(algorithm, Arrays.copyOfRange(bytes, cut, bytes.length));
            assertThat(combination.combine(first, second, bytes.length - cut))
                    .as("seed %d, %d bytes cut at %d", seed, bytes.length, cut)
                    .isEqualTo(crc(algorithm, bytes));
        }
    }

    @ParameterizedTest
    @EnumSource(names = "CRC.*", mode = Mode.MATCH_ALL)
    void anEmptyPartChangesNothing(ChecksumAlgorithm algorithm) {
        CrcCombination combination = CrcCombination.of(algorithm);
        String nothing = crc(algorithm, new byte[0]);
        String some = crc(algorithm, new byte[] {1, 2, 3});
        assertThat(combination.combine(nothing, some, 3)).isEqualTo(some);
        assertThat(combination.combine(some, nothing, 0)).isEqualTo(some);
        assertThat(combination.combine(nothing, nothing, 0)).isEqualTo(nothing);
    }

    @ParameterizedTest
    @EnumSource(names = "CRC.*", mode = Mode.MATCH_ALL)
    void foldsAnyNumberOfParts(ChecksumAlgorithm algorithm) {
        for (int seed = 0; seed < CASES; seed++) {
            Random random = new Random(seed);
            byte[] bytes = new byte[random.nextInt(5000)];
            random.nextBytes(bytes);
            List<Part> parts = new ArrayList<>();
            for (int from = 0; from < bytes.length; ) {
                int to = from + random.nextInt(bytes.length - from + 1);
                parts.add(new Part(crc(algorithm, Arrays.copyOfRange(bytes, from, to)), to - from));
                from = to;
            }
            assertThat(CrcCombination.of(algorithm).combine(parts))
                    .as("seed %d, %d parts", seed, parts.size())
                    .isEqualTo(crc(algorithm, bytes));
        }
    }

    @ParameterizedTest
    @CsvSource({"CRC32, edb88320", "CRC32C, 82f63b78", "CRC64NVME, 9a6c9329ac4bc9b5"})
    void agreesWithMatricesAtLengthsBeyondS3sLimit(ChecksumAlgorithm algorithm, String polynomial) {
        for (long length : new long[] {1L << 31, (1L << 32) + 1, FIVE_TIB - 1, FIVE_TIB, 50L << 40, Long.MAX_VALUE}) {
            String first = crc(algorithm, new byte[] {7, 11, 13});
            String second = crc(algorithm, new byte[] {17, 19});
            long expected = afterZeroBytes(number(algorithm, first), length, polynomial) ^ number(algorithm, second);
            assertThat(number(algorithm, CrcCombination.of(algorithm).combine(first, second, length)))
                    .as("%d bytes", length)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "CRC.*", mode = Mode.MATCH_ALL)
    void isAssociativeAtFiveTebibytes(ChecksumAlgorithm algorithm) {
        CrcCombination combination = CrcCombination.of(algorithm);
        String a = crc(algorithm, new byte[] {1});
        String b = crc(algorithm, new byte[] {2});
        String c = crc(algorithm, new byte[] {3});
        String left = combination.combine(combination.combine(a, b, FIVE_TIB), c, FIVE_TIB + 1);
        String right = combination.combine(a, combination.combine(b, c, FIVE_TIB + 1), 2 * FIVE_TIB + 1);
        assertThat(left).isEqualTo(right);
    }

    @ParameterizedTest
    @EnumSource(names = "CRC.*", mode = Mode.MATCH_NONE)
    void refusesWhatIsOnlyEverComposite(ChecksumAlgorithm algorithm) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CrcCombination.of(algorithm))
                .withMessageContaining(algorithm.name())
                .withMessageContaining("composite")
                .withMessageContaining("CRC32, CRC32C and CRC64NVME");
    }

    @Test
    void refusesALengthBelowZero() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CrcCombination.of(ChecksumAlgorithm.CRC32).combine("DUoRhQ==", "DUoRhQ==", -1))
                .withMessageContaining("-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Part("DUoRhQ==", -1))
                .withMessageContaining("-1");
    }

    @Test
    void refusesACompositeValue() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CrcCombination.of(ChecksumAlgorithm.CRC32).combine("DUoRhQ==-2", "DUoRhQ==", 1))
                .withMessageContaining("composite");
    }

    @Test
    void refusesAValueOfAnotherAlgorithm() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> CrcCombination.of(ChecksumAlgorithm.CRC64NVME).combine(List.of(new Part("DUoRhQ==", 1))))
                .withMessageContaining("DUoRhQ==")
                .withMessageContaining("8 bytes");
    }

    private static String crc(ChecksumAlgorithm algorithm, byte[] bytes) {
        RunningChecksum checksum = algorithm.start();
        checksum.update(ByteBuffer.wrap(bytes));
        return checksum.base64();
    }

    private static long number(ChecksumAlgorithm algorithm, String value) {
        long number = 0;
        for (byte part : algorithm.decode(value)) {
            number = number << 8 | (part & 0xff);
        }
        return number;
    }

    /** The other way to do it: one zero byte as a matrix of bits, raised to a power by squaring. */
    private static long afterZeroBytes(long crc, long count, String polynomial) {
        int width = 4 * polynomial.length();
        long[] matrix = new long[width];
        for (int bit = 0; bit < width; bit++) {
            long column = 1L << bit;
            for (int i = 0; i < 8; i++) {
                column = (column & 1) == 0 ? column >>> 1 : (column >>> 1) ^ Long.parseUnsignedLong(polynomial, 16);
            }
            matrix[bit] = column;
        }
        long result = crc;
        for (long rest = count; rest != 0; rest >>>= 1) {
            if ((rest & 1) != 0) {
                result = times(matrix, result);
            }
            long[] square = new long[width];
            for (int bit = 0; bit < width; bit++) {
                square[bit] = times(matrix, matrix[bit]);
            }
            matrix = square;
        }
        return result;
    }

    private static long times(long[] matrix, long vector) {
        long sum = 0;
        for (int bit = 0; bit < matrix.length; bit++) {
            if ((vector >>> bit & 1) != 0) {
                sum ^= matrix[bit];
            }
        }
        return sum;
    }
}
