package io.github.reslice.awschunked;

import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Input;
import org.jspecify.annotations.Nullable;

/** What one body gets around its payload, as pieces of the payload's kind: chunk headers, and the end. */
final class Framing<B> {

    private final FramingBytes bytes;
    private final BufferKind<B> kind;
    private final BufferKind.@Nullable Reader reader;
    private boolean first = true;
    private boolean ended;
    private boolean latestIsFraming;
    private BufferKind.@Nullable Repeated<B> repeated;

    Framing(FramingBytes bytes, BufferKind<B> kind) {
        this.bytes = bytes;
        this.kind = kind;
        reader = bytes.reader();
    }

    /** Reads the next {@code most} bytes of what has come in. */
    void include(Input<B> input, int most) {
        if (reader != null) {
            input.read(most, reader);
        }
    }

    /** The header of a chunk of {@code size} bytes, which have been included. */
    B header(int size) {
        B header = bytes.repeats(size, first) ? repeatedHeader(size) : kind.wrap(bytes.chunkHeader(size, first));
        first = false;
        latestIsFraming = true;
        return header;
    }

    private B repeatedHeader(int size) {
        BufferKind.Repeated<B> header = repeated;
        if (header == null) {
            header = kind.repeated(bytes.chunkHeader(size, first));
            repeated = header;
        }
        return header.next();
    }

    /** Hands data on, which goes between. */
    B around(B data) {
        latestIsFraming = false;
        return data;
    }

    /** The end of the body; once, then null. */
    @Nullable
    B end() {
        if (ended) {
            return null;
        }
        ended = true;
        B end = kind.wrap(bytes.end(first));
        latestIsFraming = true;
        return end;
    }

    /** Whether the piece given last is framing. */
    boolean latestIsFraming() {
        return latestIsFraming;
    }

    /** Gives back what is kept for further headers. */
    void close() {
        if (repeated != null) {
            repeated.close();
        }
    }
}
