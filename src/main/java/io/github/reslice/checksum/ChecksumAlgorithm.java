package io.github.reslice.checksum;

import java.util.Locale;

/** The checksums that S3 knows, by S3's names. */
public enum ChecksumAlgorithm {
    /** CRC-32, as in zip. */
    CRC32(4),
    /** CRC-32 with Castagnoli's polynomial. */
    CRC32C(4),
    /** CRC-64 with the NVMe polynomial. */
    CRC64NVME(8),
    /** SHA-1. */
    SHA1(20),
    /** SHA-256. */
    SHA256(32),
    /** SHA-512. */
    SHA512(64),
    /** MD5. */
    MD5(16);

    private final int digestLength;
    private final String headerName = "x-amz-checksum-" + name().toLowerCase(Locale.ROOT);

    ChecksumAlgorithm(int digestLength) {
        this.digestLength = digestLength;
    }

    /** {@return the bytes in the raw checksum} */
    public int digestLength() {
        return digestLength;
    }

    /** {@return the characters in the checksum as S3 writes it, in base64} */
    public int encodedLength() {
        return (digestLength + 2) / 3 * 4;
    }

    /** {@return the header and trailer that carries it, such as {@code x-amz-checksum-crc32c}} */
    public String headerName() {
        return headerName;
    }

    /** {@return a checksum over nothing yet} */
    @SuppressWarnings("DoNotCallSuggester") // until it does something
    public RunningChecksum start() {
        throw new UnsupportedOperationException();
    }
}
