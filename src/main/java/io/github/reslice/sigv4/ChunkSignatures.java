package io.github.reslice.sigv4;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.ShortBufferException;

/**
 * The signatures over the chunks of one body, and over its trailer. Each is made over the one before it, the first over
 * the request's own: so no chunk can be changed, left out or moved.
 *
 * <pre>{@code
 * ChunkSignatures signatures = ChunkSignatures.following(seed);
 * signatures.update(data, data.position(), data.remaining());
 * signatures.endChunk();
 * signatures.writeTo(header);
 * }</pre>
 *
 * <p>A sender writes each signature into its chunk's header; a receiver asks whether the one that came
 * {@linkplain #matches matches}. Nothing is allocated for a chunk but what the Java runtime's own HMAC
 * takes, and a view of each buffer without an array. Not thread-safe.
 *
 * <p>Source: <a href="https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html">Amazon S3 API Reference,
 * signature calculations for chunked uploads</a> and <a
 * href="https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html">for trailing headers</a>.
 */
public final class ChunkSignatures {

    /** Hexadecimal digits in a signature. */
    public static final int LENGTH = 64;

    private static final byte[] DIGITS = "0123456789abcdef".getBytes(US_ASCII);

    private final MessageDigest sha256 = sha256();
    private final Mac hmac;
    private final byte[] chunk;
    private final byte[] trailer;
    private final byte[] hash = new byte[LENGTH / 2];
    private final byte[] signature = new byte[LENGTH];

    private ChunkSignatures(SignedHeaders seed) {
        hmac = seed.signingKey().mac();
        String head = seed.timestamp() + "\n" + seed.scope() + "\n";
        String room = "0".repeat(LENGTH);
        chunk = ("AWS4-HMAC-SHA256-PAYLOAD\n" + head + room + "\n" + CanonicalRequest.EMPTY_HASH + "\n" + room)
                .getBytes(US_ASCII);
        trailer = ("AWS4-HMAC-SHA256-TRAILER\n" + head + room + "\n" + room).getBytes(US_ASCII);
        System.arraycopy(seed.signature().getBytes(US_ASCII), 0, signature, 0, LENGTH);
    }

    /**
     * The signatures of the body that belongs to a request.
     *
     * @param seed the signed request
     * @return a chain that starts with the request's own signature
     */
    public static ChunkSignatures following(SignedHeaders seed) {
        return new ChunkSignatures(seed);
    }

    /**
     * Adds data to the chunk at hand. The buffer is read and never touched.
     *
     * @param buffer any kind of buffer
     * @param from the index of the first byte, wherever position and limit are
     * @param length how many bytes
     * @throws IndexOutOfBoundsException if the range is not within the buffer's capacity
     */
    public void update(ByteBuffer buffer, int from, int length) {
        Objects.checkFromIndexSize(from, length, buffer.capacity());
        if (buffer.hasArray()) {
            sha256.update(buffer.array(), buffer.arrayOffset() + from, length);
        } else {
            sha256.update(buffer.duplicate().limit(from + length).position(from));
        }
    }

    /** Ends the chunk and signs it. One without data is the last: the zero chunk is signed too. */
    public void endChunk() {
        sign(chunk, chunk.length - LENGTH - 1 - CanonicalRequest.EMPTY_HASH.length() - 1 - LENGTH);
    }

    /**
     * Signs the trailer, after the zero chunk.
     *
     * @param lines {@code name:value} and a line feed for each trailer, names in lower case and in order
     */
    public void endTrailer(String lines) {
        sha256.update(lines.getBytes(US_ASCII));
        sign(trailer, trailer.length - LENGTH - 1 - LENGTH);
    }

    private void sign(byte[] stringToSign, int previous) {
        System.arraycopy(signature, 0, stringToSign, previous, LENGTH);
        try {
            sha256.digest(hash, 0, hash.length);
            hex(hash, stringToSign, stringToSign.length - LENGTH);
            hmac.update(stringToSign);
            hmac.doFinal(hash, 0);
        } catch (DigestException | ShortBufferException e) {
            throw new IllegalStateException("32 bytes are too few for a SHA-256", e);
        }
        hex(hash, signature, 0);
    }

    /**
     * Writes the signature made last: {@value #LENGTH} hexadecimal digits in lower case.
     *
     * @param target where to, at its position, which moves
     */
    public void writeTo(ByteBuffer target) {
        target.put(signature);
    }

    /**
     * Compares the signature made last with one that came, in a time that does not tell where they differ.
     *
     * @param received what came, in ASCII; upper case is taken as lower case
     * @return whether they are the same
     */
    public boolean matches(byte[] received) {
        byte[] lowerCase =
                new String(received, US_ASCII).toLowerCase(Locale.ROOT).getBytes(US_ASCII);
        return MessageDigest.isEqual(signature, lowerCase);
    }

    private static void hex(byte[] bytes, byte[] target, int offset) {
        for (int i = 0; i < bytes.length; i++) {
            target[offset + 2 * i] = DIGITS[bytes[i] >> 4 & 0xf];
            target[offset + 2 * i + 1] = DIGITS[bytes[i] & 0xf];
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime has no SHA-256", e);
        }
    }

    /** Nothing of the key. */
    @Override
    public String toString() {
        return "ChunkSignatures";
    }
}
