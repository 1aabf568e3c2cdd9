package io.github.reslice.checksum;

import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * The checksums that S3 knows, by S3's names.
 *
 * <pre>{@code
 * RunningChecksum checksum = ChecksumAlgorithm.CRC32C.start();
 * checksum.update(buffer);
 * String value = checksum.base64();
 * }</pre>
 *
 * <p>{@link #XXHASH64}, {@link #XXHASH3} and {@link #XXHASH128} are computed by a library that Reslice does not bring along,
 * {@code com.dynatrace.hash4j:hash4j}. Where it is missing, {@link #isAvailable()} says no, and whatever is built to compute
 * one of them fails with an {@link IllegalArgumentException} that names it. Their values can be sent, decoded and
 * encoded without it.
 *
 * <p>{@link #CRC64NVME} is computed in native code where {@code software.amazon.awssdk.crt:aws-crt} is on the class path, and
 * its library loads; else in plain Java, and the values are the same.
 */
public enum ChecksumAlgorithm {
    /** The CRC-32 of Ethernet and zip. */
    CRC32(4),
    /** The CRC-32 of iSCSI, with Castagnoli's polynomial. */
    CRC32C(4),
    /** The CRC-64 of the NVM Express specification, S3's default for whole objects. */
    CRC64NVME(8),
    /** SHA-1. */
    SHA1(20),
    /** SHA-256. */
    SHA256(32),
    /** SHA-512. */
    SHA512(64),
    /** MD5. */
    MD5(16),
    /** XXH64 with the seed 0. Needs hash4j on the class path. */
    XXHASH64(8),
    /** XXH3 of 64 bits with the seed 0. Needs hash4j on the class path. */
    XXHASH3(8),
    /** XXH3 of 128 bits with the seed 0. Needs hash4j on the class path. */
    XXHASH128(16);

    private static final Pattern COMPOSITE = Pattern.compile("([A-Za-z0-9+/]+=*)-([0-9]+)");

    private final int digestLength;
    private final String headerName = "x-amz-checksum-" + name().toLowerCase(Locale.ROOT);

    ChecksumAlgorithm(int digestLength) {
        this.digestLength = digestLength;
    }

    /**
     * Bytes in the raw checksum.
     *
     * @return the number of bytes
     */
    public int digestLength() {
        return digestLength;
    }

    /**
     * Characters in the checksum as S3 writes it, in base64.
     *
     * @return the number of characters, padding included
     */
    public int encodedLength() {
        return (digestLength + 2) / 3 * 4;
    }

    /**
     * The header and trailer that carries it: {@code x-amz-checksum-crc32c}.
     *
     * @return the name, in lower case
     */
    public String headerName() {
        return headerName;
    }

    /**
     * The algorithm whose checksum a header or a trailer carries, {@linkplain #isAvailable() available} or not.
     *
     * @param headerName the name, in lower case: {@code x-amz-checksum-crc32c}
     * @return the algorithm, or nothing if it is none of these
     */
    public static Optional<ChecksumAlgorithm> ofHeader(String headerName) {
        return Arrays.stream(values())
                .filter(algorithm -> algorithm.headerName.equals(headerName))
                .findFirst();
    }

    /**
     * Whether it can be computed here: all can, but for those that need a library which is not on the class path.
     *
     * @return whether it can
     */
    public boolean isAvailable() {
        return switch (this) {
            case CRC32, CRC32C, CRC64NVME, SHA1, SHA256, SHA512, MD5 -> true;
            case XXHASH64, XXHASH3, XXHASH128 -> Hash4j.isThere();
        };
    }

    /**
     * Checks that it can be computed here, and loads what that takes, so that the first {@link #start()} does not.
     *
     * @return the same
     * @throws IllegalArgumentException if it needs a library that is not on the class path; the message has what to add
     */
    public ChecksumAlgorithm requireAvailable() {
        RunningChecksum unused = start();
        return this;
    }

    /**
     * A checksum over nothing yet.
     *
     * @return a new computation, independent of all others
     * @throws IllegalArgumentException if it is not {@linkplain #isAvailable() available}; the message has what to add
     */
    public RunningChecksum start() {
        if (!isAvailable()) {
            throw new IllegalArgumentException(this
                    + " checksums are computed by hash4j, which is not on the class path: add " + Hash4j.COORDINATES);
        }
        return switch (this) {
            case CRC32 -> new ZipChecksum(new CRC32());
            case CRC32C -> new ZipChecksum(new CRC32C());
            case CRC64NVME -> startCrc64Nvme();
            case SHA1 -> new DigestChecksum("SHA-1");
            case SHA256 -> new DigestChecksum("SHA-256");
            case SHA512 -> new DigestChecksum("SHA-512");
            case MD5 -> new DigestChecksum("MD5");
            case XXHASH64 -> XxHash.xxh64();
            case XXHASH3 -> XxHash.xxh3();
            case XXHASH128 -> XxHash.xxh128();
        };
    }

    private static RunningChecksum startCrc64Nvme() {
        RunningChecksum inNativeCode = NativeCrc64Nvme.start();
        return inNativeCode == null ? new Crc64Nvme() : inNativeCode;
    }

    /**
     * Checks that a text is a checksum of this algorithm over an object's bytes, as S3 writes it: padded base64 of
     * exactly {@link #digestLength()} bytes. A composite value ({@code "yZRlqg==-2"}, a multipart object's checksum of
     * its parts' checksums) is refused too, since no bytes can be compared with it.
     *
     * @param value the text
     * @return the same text
     * @throws IllegalArgumentException if it is not such a checksum; the message has the text and what was expected
     */
    public String requireValue(String value) {
        byte[] unused = decode(value);
        return value;
    }

    /**
     * The raw checksum behind its text.
     *
     * @param value the checksum in base64, as S3 writes it
     * @return its {@link #digestLength()} bytes, the most significant first
     * @throws IllegalArgumentException if {@link #requireValue} refuses the text
     */
    public byte[] decode(String value) {
        Objects.requireNonNull(value, "value");
        byte[] digest;
        try {
            digest = Base64.getDecoder().decode(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(refusal(value), e);
        }
        // the decoder lets missing padding and stray bits in the last character pass
        if (digest.length != digestLength
                || !Base64.getEncoder().encodeToString(digest).equals(value)) {
            throw new IllegalArgumentException(refusal(value));
        }
        return digest;
    }

    /**
     * A raw checksum as S3 writes it.
     *
     * @param digest the bytes, the most significant first
     * @return their base64
     * @throws IllegalArgumentException if they are not {@link #digestLength()} bytes
     */
    public String encode(byte[] digest) {
        if (digest.length != digestLength) {
            throw new IllegalArgumentException(
                    "A " + this + " checksum has " + digestLength + " bytes, not " + digest.length);
        }
        return Base64.getEncoder().encodeToString(digest);
    }

    private String refusal(String value) {
        Matcher composite = COMPOSITE.matcher(value);
        if (composite.matches() && composite.group(1).length() == encodedLength()) {
            return "\"" + value + "\" is a composite " + this + " checksum: it was computed over the checksums of "
                    + composite.group(2) + " parts, not over the object's bytes, so the bytes cannot be compared with"
                    + " it; expected " + digestLength + " bytes in base64";
        }
        return "\"" + value + "\" is not a " + this + " checksum: expected " + digestLength + " bytes in base64, "
                + encodedLength() + " characters with padding";
    }
}
