package io.github.reslice.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class Crc64NvmeTest {

    // three lanes of 680 bytes
    private static final int STRETCH = 2040;

    @ParameterizedTest
    @EnumSource
    void agreesWithTheBitwiseReferenceAroundEveryBoundary(TestBuffer kind) {
        byte[] bytes = random(3 * STRETCH + 20);
        for (int boundary : new int[] {0, 8, 16, 680, 1360, STRETCH, 2 * STRETCH, 3 * STRETCH}) {
            for (int length = Math.max(0, boundary - 9); length <= boundary + 9; length++) {
                RunningChecksum checksum = ChecksumAlgorithm.CRC64NVME.start();
                checksum.update(kind.of(bytes, 0, length));
                assertThat(HexFormat.of().formatHex(checksum.digest()))
                        .as("%d bytes", length)
                        .isEqualTo(reference(Arrays.copyOf(bytes, length)));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void agreesWithTheBitwiseReferenceAtAnyOffset(int offset) {
        byte[] bytes = random(2 * STRETCH + 30);
        int length = 2 * STRETCH + 11;
        RunningChecksum checksum = ChecksumAlgorithm.CRC64NVME.start();
        checksum.update(bytes, offset, length);
        assertThat(HexFormat.of().formatHex(checksum.digest()))
                .isEqualTo(reference(Arrays.copyOfRange(bytes, offset, offset + length)));
    }

    private static String reference(byte[] bytes) {
        return HexFormat.of().toHexDigits(BitwiseCrc64.of(bytes));
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
