package io.github.reslice.awschunked;

import io.github.reslice.checksum.ChecksumAlgorithm;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
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

    private final int chunkSize;
    private final @Nullable ChecksumAlgorithm checksum;
    private final List<Trailer> trailers;
    private final ByteBuffer firstHeader;
    private final ByteBuffer nextHeader;

    /**
     * A layout.
     *
     * @param chunkSize bytes of data in every chunk but the last, from 1 to {@value #MAX_CHUNK_SIZE}
     * @param checksum the checksum that is computed over the payload and sent as the first trailer, or null
     * @param trailers further trailers, in the order in which they are sent
     * @throws IllegalArgumentException if the chunk size is out of bounds
     */
    public Layout(int chunkSize, @Nullable ChecksumAlgorithm checksum, List<Trailer> trailers) {
        if (chunkSize < 1 || chunkSize > MAX_CHUNK_SIZE) {
            throw new IllegalArgumentException(
                    "The chunk size must be from 1 to " + MAX_CHUNK_SIZE + " bytes, was " + chunkSize);
        }
        this.chunkSize = chunkSize;
        this.checksum = checksum;
        this.trailers = List.copyOf(trailers);
        firstHeader = ascii(header(chunkSize));
        nextHeader = ascii(CRLF + header(chunkSize));
    }

    /**
     * Bytes on the wire for a payload.
     *
     * @param decodedLength the payload's length in bytes
     * @return the body's length in bytes
     * @throws IllegalArgumentException if the length is below zero, or the encoded one does not fit into 63 bits
     */
    public long encodedLength(long decodedLength) {
        requireLength(decodedLength);
        int rest = (int) (decodedLength % chunkSize);
        long end = "0\r\n".length() + trailersLength() + CRLF.length();
        if (rest > 0) {
            end += header(rest).length() + rest + CRLF.length();
        }
        long chunk = header(chunkSize).length() + (long) chunkSize + CRLF.length();
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

    int chunkSize() {
        return chunkSize;
    }

    @Nullable
    ChecksumAlgorithm checksum() {
        return checksum;
    }

    /** The bytes from the end of the chunk before, if there is one, to the start of this one's data. Read-only. */
    ByteBuffer chunkHeader(int size, boolean first) {
        if (size != chunkSize) {
            return ascii(first ? header(size) : CRLF + header(size));
        }
        return first ? firstHeader.duplicate() : nextHeader.duplicate();
    }

    /** The bytes from the end of the last chunk, if there is one, to the end of the body. Read-only. */
    ByteBuffer end(boolean first, @Nullable String checksumValue) {
        StringBuilder end = new StringBuilder(first ? "" : CRLF).append("0\r\n");
        if (checksum != null) {
            end.append(checksum.headerName()).append(':').append(checksumValue).append(CRLF);
        }
        trailers.forEach(trailer -> end.append(trailer.line()));
        return ascii(end.append(CRLF).toString());
    }

    private long trailersLength() {
        long length = trailers.stream().mapToLong(Trailer::encodedLength).sum();
        return checksum == null
                ? length
                : length + checksum.headerName().length() + 1 + checksum.encodedLength() + CRLF.length();
    }

    private static String header(int size) {
        return Integer.toHexString(size) + CRLF;
    }

    private static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)).asReadOnlyBuffer();
    }
}
