package io.github.reslice.awschunked;

import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Input;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The start of a chunk whose header cannot be written yet, as references to what came in.
 *
 * <p>A small piece may keep a large buffer alive, so holding references alone has no bound: 1-byte pieces of pooled
 * buffers, or the short tail of a huge one. So pieces under 1 KiB are copied together into blocks, as are those with
 * which the waste, memory kept alive without being held, would exceed the chunk's size. A block never has more room than
 * the chunk still lacks. What is held is less than one chunk, and waste and room are at most another.
 */
final class HeldChunk<B> {

    private static final int SMALL = 1024;
    private static final int GATHERED = -1;

    private final BufferKind<B> kind;
    private int chunkSize;
    private final BufferKind.Reader copy = this::copy;
    private final Gathering gathering = new Gathering();

    private final ArrayDeque<B> pieces = new ArrayDeque<>();
    // where each piece starts, or GATHERED, and its size: an object for each would cost more than a chunk's header
    private int[] spans = new int[32];
    private int firstSpan;
    private int endOfSpans;

    private int size;
    private long waste;
    private @Nullable Object latestMemory;
    private int taken;
    private boolean latestWasGathered;

    HeldChunk(BufferKind<B> kind, int chunkSize) {
        this.kind = kind;
        this.chunkSize = chunkSize;
    }

    /** Says how large the next chunk is, before anything of it is held. */
    void expect(int nextChunkSize) {
        chunkSize = nextChunkSize;
    }

    /** Bytes held. */
    int size() {
        return size;
    }

    /** Holds all that is left of the input. */
    void add(Input<B> input) {
        int length = input.remaining();
        Object memory = input.memory();
        long wasteWithIt = waste + (memory == latestMemory ? 0 : input.footprint()) - length;
        B piece = input.take(length);
        if (length < SMALL || wasteWithIt + gathering.room() > chunkSize) {
            kind.read(piece, kind.start(piece), length, copy);
            kind.release(piece);
        } else {
            holdRun();
            hold(piece, kind.start(piece), length);
            latestMemory = memory;
            waste = wasteWithIt;
            size += length;
        }
    }

    /** Ends the gathering: the chunk's size is known, and its pieces are taken one by one. */
    void seal() {
        holdRun();
        gathering.letGo();
        latestMemory = null;
        waste = 0;
    }

    /** The next piece, or null. */
    @Nullable
    B poll() {
        B piece = pieces.poll();
        if (piece == null) {
            return null;
        }
        int start = spans[firstSpan++];
        taken = spans[firstSpan++];
        if (pieces.isEmpty()) {
            firstSpan = 0;
            endOfSpans = 0;
        }
        size -= taken;
        latestWasGathered = start == GATHERED;
        return latestWasGathered || shows(piece, start) ? piece : kind.take(piece, start, taken);
    }

    /** Bytes in the piece given last. */
    int taken() {
        return taken;
    }

    // a buffer that is lent twice may have been read by its other receiver while it was held
    private boolean shows(B piece, int start) {
        return kind.start(piece) == start && kind.end(piece) - start == taken;
    }

    /** Gives back the piece given last, which nobody received. */
    void discardUnsent(B piece, Consumer<Object> sink) {
        if (latestWasGathered) {
            kind.release(piece);
        } else {
            sink.accept(piece);
        }
    }

    void discard(Consumer<Object> sink) {
        for (B piece = poll(); piece != null; piece = poll()) {
            discardUnsent(piece, sink);
        }
    }

    private void copy(ByteBuffer bytes, int from, int length) {
        for (int done = 0; done < length; ) {
            if (gathering.room() == 0) {
                holdRun();
                gathering.startBlock(length - done, chunkSize - size);
            }
            int copied = gathering.add(bytes, from + done, length - done);
            done += copied;
            size += copied;
        }
    }

    private void holdRun() {
        ByteBuffer run = gathering.takeRun();
        if (run != null) {
            hold(kind.wrap(run), GATHERED, run.remaining());
        }
    }

    private void hold(B piece, int start, int length) {
        if (endOfSpans == spans.length) {
            spans = Arrays.copyOf(spans, 2 * endOfSpans);
        }
        spans[endOfSpans++] = start;
        spans[endOfSpans++] = length;
        pieces.add(piece);
    }
}
