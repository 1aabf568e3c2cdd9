package io.github.reslice.checksum;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The CRC of a whole from the CRCs and lengths of its parts, without their bytes. This is how S3 gets the
 * {@code FULL_OBJECT} checksum of a multipart upload.
 *
 * <pre>{@code
 * CrcCombination crc32c = CrcCombination.of(ChecksumAlgorithm.CRC32C);
 * String whole = crc32c.combine(crcOfFirst, crcOfSecond, lengthOfSecond);
 * String object = crc32c.combine(List.of(
 *         new CrcCombination.Part(crcOfFirst, lengthOfFirst),
 *         new CrcCombination.Part(crcOfSecond, lengthOfSecond)));
 * }</pre>
 *
 * <p>A CRC is the remainder of its message modulo a polynomial P. With B behind it, A stands |B| bytes higher, so that
 * crc(A‖B) = crc(A) · x<sup>8|B|</sup> mod P ⊕ crc(B); what a CRC adds at its beginning and end cancels out. It takes
 * as many steps as the length has bits.
 *
 * <p>{@code io.github.reslice.Checksums.combine} is the same in one call. Immutable and thread-safe.
 */
public final class CrcCombination {

    private final ChecksumAlgorithm algorithm;
    private final ReflectedPolynomial polynomial;

    private CrcCombination(ChecksumAlgorithm algorithm, ReflectedPolynomial polynomial) {
        this.algorithm = algorithm;
        this.polynomial = polynomial;
    }

    /**
     * One part of a whole.
     *
     * @param checksum its CRC in base64
     * @param length its bytes
     */
    public record Part(String checksum, long length) {

        /**
         * One part of a whole.
         *
         * @param checksum its CRC in base64
         * @param length its bytes
         * @throws IllegalArgumentException if the length is below zero
         */
        public Part {
            Objects.requireNonNull(checksum, "checksum");
            requireLength(length);
        }
    }

    /**
     * The combination of one algorithm's checksums.
     *
     * @param algorithm CRC32, CRC32C or CRC64NVME
     * @return what combines them
     * @throws IllegalArgumentException if the algorithm is not a CRC
     */
    public static CrcCombination of(ChecksumAlgorithm algorithm) {
        Objects.requireNonNull(algorithm, "algorithm");
        return new CrcCombination(
                algorithm,
                switch (algorithm) {
                    case CRC32 -> ReflectedPolynomial.CRC32;
                    case CRC32C -> ReflectedPolynomial.CRC32C;
                    case CRC64NVME -> ReflectedPolynomial.CRC64NVME;
                    case SHA1, SHA256, SHA512, MD5, XXHASH64, XXHASH3, XXHASH128 ->
                        throw new IllegalArgumentException(algorithm
                                + " checksums of parts cannot be combined into that of the whole, only CRC32, CRC32C and"
                                + " CRC64NVME can; for " + algorithm + " there is only the composite, a checksum of the"
                                + " parts' checksums");
                });
    }

    /**
     * The CRC of two parts, one behind the other.
     *
     * @param first the CRC of the first part in base64, whatever its length
     * @param second the CRC of the second part in base64
     * @param secondLength the bytes of the second part
     * @return the CRC of both in base64
     * @throws IllegalArgumentException if a CRC is not a value of the algorithm, or the length is below zero
     */
    public String combine(String first, String second, long secondLength) {
        requireLength(secondLength);
        return encode(append(decode(first), decode(second), secondLength));
    }

    /**
     * The CRC of any number of parts, in their order.
     *
     * @param parts the parts; if there are none, the result is the CRC of no bytes
     * @return the CRC of all in base64
     * @throws IllegalArgumentException if a part's CRC is not a value of the algorithm
     */
    public String combine(List<Part> parts) {
        long crc = 0;
        for (Part part : parts) {
            crc = append(crc, decode(part.checksum()), part.length());
        }
        return encode(crc);
    }

    private long append(long first, long second, long secondLength) {
        return polynomial.multiply(first, polynomial.zeroBytes(secondLength)) ^ second;
    }

    private long decode(String checksum) {
        byte[] bytes = new byte[Long.BYTES];
        byte[] digest = algorithm.decode(checksum);
        System.arraycopy(digest, 0, bytes, bytes.length - digest.length, digest.length);
        return ByteBuffer.wrap(bytes).getLong();
    }

    private String encode(long crc) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(crc).array();
        return algorithm.encode(Arrays.copyOfRange(bytes, bytes.length - algorithm.digestLength(), bytes.length));
    }

    private static void requireLength(long length) {
        if (length < 0) {
            throw new IllegalArgumentException("A part's length must be 0 or more, was " + length);
        }
    }
}
