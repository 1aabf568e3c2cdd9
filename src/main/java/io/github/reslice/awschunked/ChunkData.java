package io.github.reslice.awschunked;

import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Input;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The data of the chunk at hand. Its pieces are handed on as they come, but the last one, which waits for the chunk's
 * signature: that stood in the header, so it can be compared as soon as the last byte is there.
 */
class ChunkData<B> {

    private final Input<B> input;
    private final Checks checks;
    private final BufferKind.@Nullable Reader reader;
    private final ChunkHeader header;
    private int left;

    ChunkData(BufferKind<B> kind, Checks checks, ChunkHeader header) {
        input = new Input<>(kind);
        this.checks = checks;
        reader = checks.reader();
        this.header = header;
    }

    Input<B> input() {
        return input;
    }

    /** The next chunk begins. */
    void open() {
        left = header.size();
    }

    /** Bytes of the chunk that have not been taken off the input. */
    int left() {
        return left;
    }

    /** The next piece of the chunk, of which some is in the input; or null if it is held. */
    @Nullable
    B poll() {
        check();
        return take();
    }

    /** Checks what the input has of the chunk, which stays there; and says whether the chunk is whole. */
    final boolean check() {
        if (reader != null) {
            input.read(left, reader);
        }
        if (input.remaining() < left) {
            return false;
        }
        checks.endChunk(header);
        return true;
    }

    /** What the input has of the chunk, as one piece. */
    final B take() {
        B piece = input.take(left);
        left -= input.taken();
        return piece;
    }

    /** All that the input has, which is less than the chunk, goes to be held. */
    final void moveTo(HeldChunk<B> held) {
        left -= input.remaining();
        held.add(input);
    }

    void discardUnsent(B piece, Consumer<Object> sink) {
        input.discardUnsent(piece, sink);
    }

    void discard(Consumer<Object> sink) {
        input.discard(sink);
    }
}
