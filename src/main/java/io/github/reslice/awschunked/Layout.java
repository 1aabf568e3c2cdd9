package io.github.reslice.awschunked;

import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.RunningChecksum;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How an unsigned {@code aws-chunked} body lies on the wire, and how long it gets:
 *
 * <pre>
 *     20000 CRLF   128 KiB of data CRLF     full chunks, all with the same header
 *     1f4 CRLF     500 bytes of data CRLF   the last, short chunk, if there is a rest
 *     0 CRLF                                the zero chunk
 *     x-amz-checksum-crc32:DUoRhQ== CRLF    trailers
 *     CRLF
 * </pre>
 *
 * <p>The CRLF behind a chunk's data is written with what follows it, so that between two full chunks there is one piece,
 * always the same. Immutable; shared by all subscriptions.
 *
 * <p>Source: <a href="https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html">Amazon S3 API
 * Reference, signature calculations for trailing headers</a>.
 */
public final class Layout {

    /** The smallest chunk that S3 takes anywhere but at the end, in bytes. */
    public static final int MIN_CHUNK_SIZE = 8 * 1024;

    /** The largest chunk that this encoder makes, in bytes. */
    public static final int MAX_CHUNK_SIZE = 1024 * 1024 * 1024;

    private static final String CRLF = "\r\n";
    private static final int END_WITHOUT_TRAILERS = "\r\n0\r\n\r\n".length();

    private final int chunkSize;
    private final @Nullable ChecksumAlgorithm checksum;
    private final @Nullable String knownChecksum;
    private final List<Trailer> trailers;
    private final long trailersLength;
    private final ByteBuffer firstHeader;
    private final ByteBuffer nextHeader;

    /**
     * A layout whose checksum is computed over the payload.
     *
     * @param chunkSize bytes of data in every chunk but the last, from 1 to {@value #MAX_CHUNK_SIZE}; that S3 wants
     *     {@value #MIN_CHUNK_SIZE} or more is left to the caller
     * @param checksum the checksum that is sent as the first trailer, or null for none
     * @param trailers further trailers, in the order in which they are sent
     * @throws IllegalArgumentException if the chunk size is out of bounds, two trailers have the same name, or two are
     *     checksums, which S3 refuses
     */
    public Layout(int chunkSize, @Nullable ChecksumAlgorithm checksum, List<Trailer> trailers) {
        this(chunkSize, checksum, null, trailers);
    }

    /**
     * A layout.
     *
     * @param chunkSize as above
     * @param checksum as above
     * @param knownChecksum the checksum's value in base64, or null if it is to be computed
     * @param trailers as above
     * @throws IllegalArgumentException as above
     */
    public Layout(
            int chunkSize,
            @Nullable ChecksumAlgorithm checksum,
            @Nullable String knownChecksum,
            List<Trailer> trailers) {
        if (chunkSize < 1 || chunkSize > MAX_CHUNK_SIZE) {
            throw new IllegalArgumentException(
                    "The chunk size must be from 1 to " + MAX_CHUNK_SIZE + " bytes, was " + chunkSize);
        }
        this.chunkSize = chunkSize;
        this.checksum = checksum;
        this.knownChecksum = knownChecksum;
        this.trailers = List.copyOf(trailers);
        firstHeader = ascii(header(chunkSize));
        nextHeader = ascii(CRLF + header(chunkSize));
        refuseTrailersThatExcludeOneAnother();
        trailersLength = trailersLength();
    }

    private void refuseTrailersThatExcludeOneAnother() {
        Set<String> names = new HashSet<>();
        for (String name : trailerNames()) {
            if (!names.add(name)) {
                throw new IllegalArgumentException("A trailer may be sent once only, was given twice: " + name);
            }
        }
        List<String> checksums = trailerNames().stream()
                .filter(name -> name.startsWith("x-amz-checksum-"))
                .toList();
        if (checksums.size() > 1) {
            throw new IllegalArgumentException("At most one trailer may be a checksum, were given: " + checksums);
        }
    }

    /**
     * Bytes on the wire for a payload.
     *
     * @param decodedLength the payload's length in bytes
     * @return the body's length in bytes
     * @throws IllegalArgumentException if the length is below zero, or the encoded one does not fit into 63 bits
     */
    public long encodedLength(long decodedLength) {
        return encodedLength(decodedLength, 0, 0);
    }

    /** The same, with {@code extension} bytes more in every chunk's header, and {@code atEnd} behind the trailers. */
    long encodedLength(long decodedLength, int extension, int atEnd) {
        requireLength(decodedLength);
        int rest = (int) (decodedLength % chunkSize);
        long end = "0\r\n".length() + extension + trailersLength + atEnd + CRLF.length();
        if (rest > 0) {
            end += headerLength(rest) + extension + rest + CRLF.length();
        }
        long chunk = headerLength(chunkSize) + extension + (long) chunkSize + CRLF.length();
        try {
            return Math.addExact(Math.multiplyExact(decodedLength / chunkSize, chunk), end);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "The decoded length must leave room for the framing below 2^63 bytes, was " + decodedLength, e);
        }
    }

    /**
     * Checks a payload's declared length.
     *
     * @param decodedLength the length in bytes
     * @return the same
     * @throws IllegalArgumentException if it is below zero
     */
    static long requireLength(long decodedLength) {
        if (decodedLength < 0) {
            throw new IllegalArgumentException("The decoded length must be 0 or more, was " + decodedLength);
        }
        return decodedLength;
    }

    /**
     * Bytes of data in every chunk but the last.
     *
     * @return the size
     */
    public int chunkSize() {
        return chunkSize;
    }

    /**
     * The checksum that is sent as the first trailer.
     *
     * @return the algorithm, or null
     */
    public @Nullable ChecksumAlgorithm checksum() {
        return checksum;
    }

    /**
     * The checksum's value, if it was known before.
     *
     * @return the value in base64, or null
     */
    public @Nullable String knownChecksum() {
        return knownChecksum;
    }

    /**
     * The trailers beside the checksum.
     *
     * @return the trailers, in the order in which they are sent
     */
    public List<Trailer> trailers() {
        return trailers;
    }

    /**
     * The names of all trailers, to be announced in {@code x-amz-trailer}.
     *
     * @return the names in lower case, in the order in which they are sent
     */
    public List<String> trailerNames() {
        return Stream.concat(
                        Stream.ofNullable(checksum).map(ChecksumAlgorithm::headerName),
                        trailers.stream().map(Trailer::name))
                .toList();
    }

    /**
     * What the request's {@code x-amz-content-sha256} says.
     *
     * @return the mode
     */
    public Mode mode() {
        return Mode.UNSIGNED;
    }

    /** Starts the checksum that is to be computed, if there is one. */
    @Nullable
    RunningChecksum startChecksum() {
        return checksum == null || knownChecksum != null ? null : checksum.start();
    }

    /** The bytes from the end of the chunk before, if there is one, to the start of this one's data. Read-only. */
    ByteBuffer chunkHeader(int size, boolean first) {
        if (size != chunkSize) {
            return ascii(first ? header(size) : CRLF + header(size));
        }
        return first ? firstHeader.duplicate() : nextHeader.duplicate();
    }

    /** The bytes from the end of the last chunk, if there is one, to the end of the body. Read-only. */
    ByteBuffer end(boolean first, @Nullable String computedChecksum) {
        StringBuilder end = new StringBuilder((int) trailersLength + END_WITHOUT_TRAILERS);
        end.append(first ? "" : CRLF).append("0\r\n");
        writeTrailers(computedChecksum, (name, line) -> end.append(line));
        return ascii(end.append(CRLF).toString());
    }

    /** Gives each trailer's name and line, in the order in which they are sent; asks for the values that are known late. */
    void writeTrailers(@Nullable String computedChecksum, BiConsumer<String, String> lines) {
        if (checksum != null) {
            String name = checksum.headerName();
            lines.accept(name, name + ":" + (knownChecksum == null ? computedChecksum : knownChecksum) + CRLF);
        }
        for (Trailer trailer : trailers) {
            lines.accept(trailer.name(), trailer.line());
        }
    }

    private long trailersLength() {
        long length = trailers.stream().mapToLong(Trailer::encodedLength).sum();
        return checksum == null
                ? length
                : length + checksum.headerName().length() + 1 + checksum.encodedLength() + CRLF.length();
    }

    private static int headerLength(int size) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(size);
        return (bits + 3) / 4 + CRLF.length();
    }

    private static String header(int size) {
        return Integer.toHexString(size) + CRLF;
    }

    private static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)).asReadOnlyBuffer();
    }
}
