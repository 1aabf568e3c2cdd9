package io.github.reslice.checksum;

/** CRC64NVME bit by bit and not reflected, from the polynomial as the specification writes it. */
final class BitwiseCrc64 {

    private static final long POLYNOMIAL = 0xad93d23594c93659L;

    private BitwiseCrc64() {}

    static long of(byte[] bytes) {
        long crc = -1;
        for (byte value : bytes) {
            crc ^= Long.reverse(value & 0xffL);
            for (int bit = 0; bit < 8; bit++) {
                crc = crc < 0 ? (crc << 1) ^ POLYNOMIAL : crc << 1;
            }
        }
        return ~Long.reverse(crc);
    }
}
