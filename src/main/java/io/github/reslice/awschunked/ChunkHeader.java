package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.reslice.awschunked.AwsChunkedException.Reason;
import io.github.reslice.sigv4.ChunkSignatures;

/** A chunk's header: {@code 10000;chunk-signature=} and 64 digits, or in an unsigned body its size alone. */
final class ChunkHeader {

    private static final byte[] EXTENSION = ";chunk-signature=".getBytes(US_ASCII);
    private static final int MOST_DIGITS = 16;

    private final boolean signed;
    private final int maxSize;
    private final byte[] signature = new byte[ChunkSignatures.LENGTH];
    private long offset;
    private int size;

    ChunkHeader(boolean signed, int maxSize) {
        this.signed = signed;
        this.maxSize = maxSize;
    }

    /** Reads the next chunk's header in place of the one before. */
    void parse(Line line) {
        offset = line.offset();
        int end = endOfDigits(line);
        size = size(line, end);
        if (signed) {
            takeSignature(line, end);
        } else if (end < line.length()) {
            throw new AwsChunkedException(
                    Reason.UNEXPECTED_EXTENSION,
                    offset + end,
                    "A chunk of an unsigned body has no extension, came " + Quoted.text(line.text(end, line.length())));
        }
    }

    private int endOfDigits(Line line) {
        int end = 0;
        while (end < line.length() && Hex.digit(line.at(end)) >= 0) {
            end++;
        }
        if (end == 0 || end > MOST_DIGITS || (end < line.length() && line.at(end) != ';')) {
            throw new AwsChunkedException(
                    Reason.MALFORMED_CHUNK_SIZE,
                    offset + Math.min(end, MOST_DIGITS),
                    "A chunk's size must be 1 to " + MOST_DIGITS + " hexadecimal digits, came "
                            + Quoted.text(line.text(0, line.length())));
        }
        return end;
    }

    private int size(Line line, int end) {
        long value = 0;
        for (int i = 0; i < end; i++) {
            value = value << 4 | Hex.digit(line.at(i));
        }
        if (Long.compareUnsigned(value, maxSize) > 0) {
            throw new AwsChunkedException(
                    Reason.CHUNK_TOO_LARGE,
                    offset,
                    "A chunk may have " + maxSize + " bytes, came one of " + Long.toUnsignedString(value));
        }
        return (int) value;
    }

    private void takeSignature(Line line, int from) {
        int given = line.length() - from;
        for (int i = 0; i < Math.min(given, EXTENSION.length); i++) {
            if (line.at(from + i) != EXTENSION[i]) {
                throw new AwsChunkedException(
                        Reason.UNEXPECTED_EXTENSION,
                        offset + from,
                        "A chunk's only extension is its signature, came "
                                + Quoted.text(line.text(from, line.length())));
            }
        }
        int start = from + EXTENSION.length;
        if (!isSignature(line, start)) {
            throw new AwsChunkedException(
                    Reason.MISSING_SIGNATURE,
                    offset + from,
                    "Every chunk of a signed body must have " + new String(EXTENSION, US_ASCII) + " and "
                            + ChunkSignatures.LENGTH + " hexadecimal digits, came "
                            + Quoted.text(line.text(from, line.length())));
        }
        line.copy(start, signature);
    }

    /** Whether the rest of a line is a signature. */
    static boolean isSignature(Line line, int from) {
        if (line.length() - from != ChunkSignatures.LENGTH) {
            return false;
        }
        for (int i = from; i < line.length(); i++) {
            if (Hex.digit(line.at(i)) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Bytes of the body before the header. */
    long offset() {
        return offset;
    }

    /** Bytes of data in the chunk. */
    int size() {
        return size;
    }

    /** The chunk's signature. Valid until the next header. */
    byte[] signature() {
        return signature;
    }
}
