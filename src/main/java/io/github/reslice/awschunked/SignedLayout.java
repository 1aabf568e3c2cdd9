package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.sigv4.ChunkSignatures;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a signed {@code aws-chunked} body lies on the wire: as the unsigned one of a {@link Layout}, with a signature in
 * every chunk's header, the zero chunk's too, and one more behind the trailers if there are any.
 *
 * <pre>
 *     20000;chunk-signature=ad80...8648 CRLF    128 KiB of data CRLF
 *     1f4;chunk-signature=0055...5497 CRLF      500 bytes of data CRLF
 *     0;chunk-signature=2ca2...f992 CRLF        the zero chunk
 *     x-amz-checksum-crc32:DUoRhQ== CRLF        trailers
 *     x-amz-trailer-signature:d81f...e435 CRLF
 *     CRLF
 * </pre>
 *
 * <p>Immutable; shared by all subscriptions.
 *
 * <p>Source: <a href="https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html">Amazon S3 API Reference,
 * signature calculations for chunked uploads</a> and <a
 * href="https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html">for trailing headers</a>.
 */
public final class SignedLayout {

    private static final String CHUNK_SIGNATURE = ";chunk-signature=";
    private static final byte[] TRAILER_SIGNATURE = "x-amz-trailer-signature:".getBytes(US_ASCII);
    private static final byte[] CRLF = "\r\n".getBytes(US_ASCII);

    private static final int IN_EACH_HEADER = CHUNK_SIGNATURE.length() + ChunkSignatures.LENGTH;
    private static final int BEHIND_TRAILERS = TRAILER_SIGNATURE.length + ChunkSignatures.LENGTH + CRLF.length;

    private final Layout layout;
    private final int atEnd;
    private final byte[] firstHeader;
    private final byte[] nextHeader;

    /**
     * The signed layout with an unsigned one's settings.
     *
     * @param layout the settings
     */
    public SignedLayout(Layout layout) {
        this.layout = Objects.requireNonNull(layout, "layout");
        atEnd = layout.trailerNames().isEmpty() ? 0 : BEHIND_TRAILERS;
        firstHeader = upToTheSignature(layout.chunkSize(), true);
        nextHeader = upToTheSignature(layout.chunkSize(), false);
    }

    /**
     * What the request's {@code x-amz-content-sha256} says.
     *
     * @return the mode, which depends on whether there are trailers
     */
    public Mode mode() {
        return atEnd == 0 ? Mode.SIGNED : Mode.SIGNED_WITH_TRAILER;
    }

    /**
     * Bytes on the wire for a payload.
     *
     * @param decodedLength the payload's length in bytes
     * @return the body's length in bytes
     * @throws IllegalArgumentException if the length is below zero, or the encoded one does not fit into 63 bits
     */
    public long encodedLength(long decodedLength) {
        return layout.encodedLength(decodedLength, IN_EACH_HEADER, atEnd);
    }

    int chunkSize() {
        return layout.chunkSize();
    }

    @Nullable
    RunningChecksum startChecksum() {
        return layout.startChecksum();
    }

    /** Signs the chunk at hand, and gives what stands before its data. */
    ByteBuffer chunkHeader(int size, boolean first, ChunkSignatures signatures) {
        byte[] start = size != layout.chunkSize() ? upToTheSignature(size, first) : first ? firstHeader : nextHeader;
        signatures.endChunk();
        ByteBuffer header = ByteBuffer.allocate(start.length + ChunkSignatures.LENGTH + CRLF.length);
        header.put(start);
        signatures.writeTo(header);
        header.put(CRLF);
        return header.flip().asReadOnlyBuffer();
    }

    /** Signs the zero chunk and the trailers, if there are any, and gives all that stands behind the last data. */
    ByteBuffer end(boolean first, @Nullable String computedChecksum, ChunkSignatures signatures) {
        Map<String, String> trailers = new LinkedHashMap<>();
        layout.writeTrailers(computedChecksum, trailers::put);
        byte[] lines = String.join("", trailers.values()).getBytes(US_ASCII);
        ByteBuffer zeroChunk = chunkHeader(0, first, signatures);
        ByteBuffer end = ByteBuffer.allocate(zeroChunk.remaining() + lines.length + atEnd + CRLF.length);
        end.put(zeroChunk).put(lines);
        if (atEnd > 0) {
            signatures.endTrailer(signedForm(trailers));
            end.put(TRAILER_SIGNATURE);
            signatures.writeTo(end);
            end.put(CRLF);
        }
        return end.put(CRLF).flip().asReadOnlyBuffer();
    }

    /** By name, not by line, which would put {@code a-b} before {@code a}; and lines end in LF alone. */
    private static String signedForm(Map<String, String> trailerLines) {
        return String.join("", new TreeMap<>(trailerLines).values()).replace("\r\n", "\n");
    }

    private static byte[] upToTheSignature(int size, boolean first) {
        return ((first ? "" : "\r\n") + Integer.toHexString(size) + CHUNK_SIGNATURE).getBytes(US_ASCII);
    }
}
