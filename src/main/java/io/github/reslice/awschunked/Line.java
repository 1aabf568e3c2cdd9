package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.reslice.awschunked.AwsChunkedException.Reason;
import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Input;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One line of framing, collected byte by byte, from as many buffers as it comes in. What is wrong with it is found at the
 * byte that is wrong, so that it does not matter how the body was cut.
 */
final class Line implements BufferKind.Reader {

    /** Where in the body a line stands. */
    enum Place {
        CHUNK_HEADER,
        AFTER_DATA,
        TRAILER
    }

    /** How much of the line's end has come. */
    private enum End {
        NONE,
        CR,
        LF,
        LF_CR,
        ALL
    }

    private static final int LONGEST_END = 3;

    private byte[] content = new byte[128];
    private Place place = Place.CHUNK_HEADER;
    private int most;
    private long offset;
    private int length;
    private End end = End.NONE;
    private long nextOffset;

    /** Starts the next line, right behind the one before. */
    void start(Place nextPlace, int mostBytes) {
        place = nextPlace;
        most = mostBytes;
        offset = nextOffset;
        length = 0;
        end = End.NONE;
    }

    /** Steps over bytes that are no framing. */
    void step(int bytes) {
        nextOffset += bytes;
    }

    /** Takes the line's bytes off the input, and says whether it is whole. */
    boolean readFrom(Input<?> input) {
        long before = nextOffset;
        input.read((int) Math.min(input.remaining(), (long) most - length + LONGEST_END), this);
        input.skip((int) (nextOffset - before));
        return end == End.ALL;
    }

    @Override
    public void read(ByteBuffer bytes, int from, int count) {
        for (int i = from; i < from + count && end != End.ALL; i++) {
            end = next(bytes.get(i));
            nextOffset++;
        }
    }

    private End next(byte b) {
        return switch (end) {
            case NONE -> inside(b);
            case CR, LF_CR -> expect((byte) '\n', b, End.ALL);
            case LF -> expect((byte) '\r', b, End.LF_CR);
            case ALL -> throw new IllegalStateException("the line is whole");
        };
    }

    private End inside(byte b) {
        if (b == '\r') {
            return End.CR;
        }
        // MinIO's client for Go ends a trailer with LF CRLF
        if (b == '\n' && place == Place.TRAILER && length > 0) {
            return End.LF;
        }
        if (b == '\n') {
            throw missingCrlf(b);
        }
        if (length == most) {
            throw tooLong(b);
        }
        if (length == content.length) {
            content = Arrays.copyOf(content, (int) Math.min(most, 2L * length));
        }
        content[length++] = b;
        return End.NONE;
    }

    private End expect(byte expected, byte b, End then) {
        if (b != expected) {
            throw missingCrlf(b);
        }
        return then;
    }

    private AwsChunkedException missingCrlf(byte b) {
        String where = switch (place) {
            case CHUNK_HEADER -> "A chunk's header must end in CRLF";
            case AFTER_DATA -> "CRLF must follow a chunk's data";
            case TRAILER -> "A trailer must end in CRLF or LF CRLF, and the body in CRLF";
        };
        return new AwsChunkedException(
                Reason.MISSING_CRLF, nextOffset, where + ", came " + Quoted.text(String.valueOf((char) (b & 0xff))));
    }

    private AwsChunkedException tooLong(byte b) {
        return switch (place) {
            case CHUNK_HEADER ->
                new AwsChunkedException(
                        Reason.HEADER_TOO_LONG, nextOffset, "A chunk's header may have " + most + " bytes, has more");
            case AFTER_DATA -> missingCrlf(b);
            case TRAILER ->
                new AwsChunkedException(
                        Reason.TRAILERS_TOO_LONG,
                        nextOffset,
                        "The trailers are longer than the bound: " + most + " bytes were left for this one");
        };
    }

    /** Bytes in the line, without its end. */
    int length() {
        return length;
    }

    byte at(int index) {
        return content[index];
    }

    /** A part of the line; bytes outside ASCII are shown as they are. */
    String text(int from, int to) {
        return new String(content, from, to - from, ISO_8859_1);
    }

    void copy(int from, byte[] target) {
        System.arraycopy(content, from, target, 0, target.length);
    }

    /** Bytes of the body before the line. */
    long offset() {
        return offset;
    }

    /** Bytes of the body that have come, up to the last one that was looked at. */
    long nextOffset() {
        return nextOffset;
    }
}
