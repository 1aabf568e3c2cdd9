package io.github.reslice.checksum;

import java.util.Locale;

/** The checksums that S3 knows, by S3's names. */
public enum ChecksumAlgorithm {
    CRC32(4),
    CRC32C(4),
    CRC64NVME(8),
    SHA1(20),
    SHA256(32),
    SHA512(64),
    MD5(16);

    private final int digestLength;
    private final String headerName = "x-amz-checksum-" + name().toLowerCase(Locale.ROOT);

    ChecksumAlgorithm(int digestLength) {
        this.digestLength = digestLength;
    }

    /** Bytes in the raw checksum. */
    public int digestLength() {
        return digestLength;
    }

    /** Characters in the checksum as S3 writes it, in base64. */
    public int encodedLength() {
        return (digestLength + 2) / 3 * 4;
    }

    /** The header and trailer that carries it: {@code x-amz-checksum-crc32c}. */
    public String headerName() {
        return headerName;
    }

    /** A checksum over nothing yet. */
    public RunningChecksum start() {
        throw new UnsupportedOperationException();
    }
}
