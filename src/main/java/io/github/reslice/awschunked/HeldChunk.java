package io.github.reslice.awschunked;

import io.github.reslice.stage.BufferKind;
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
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final BufferKind<B> kind;
    private final int chunkSize;
    private final ArrayDeque<B> pieces = new ArrayDeque<>();
    private int[] spans = new int[32]; // each piece's start, or GATHERED, and its size
    private int firstSpan;
    private int endOfSpans;
    private final Consumer<ByteBuffer> copy = this::copy;
    private ByteBuffer block = NONE;
    private int runStart;
    private int size;
    private long waste;
    private boolean latestWasGathered;

    HeldChunk(BufferKind<B> kind, int chunkSize) {
        this.kind = kind;
        this.chunkSize = chunkSize;
    }

    /** Bytes held. */
    int size() {
        return size;
    }

    /** Adds a piece that keeps {@code footprint} bytes of memory alive. */
    void add(B piece, int footprint) {
        int length = kind.size(piece);
        long wasteWithIt = waste + footprint - length;
        if (length < SMALL || wasteWithIt + block.remaining() > chunkSize) {
            kind.read(piece, copy);
            kind.release(piece);
        } else {
            endRun();
            hold(piece, kind.start(piece), length);
            waste = wasteWithIt;
            size += length;
        }
    }

    /** Ends the gathering: the header is written, and the pieces are taken one by one. */
    void open() {
        endRun();
        block = NONE;
        runStart = 0;
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
        int length = spans[firstSpan++];
        if (pieces.isEmpty()) {
            firstSpan = 0;
            endOfSpans = 0;
        }
        size -= length;
        latestWasGathered = start == GATHERED;
        return latestWasGathered || shows(piece, start, length) ? piece : kind.take(piece, start, length);
    }

    // a buffer that is lent twice may have been read by its other receiver while it was held
    private boolean shows(B piece, int start, int length) {
        return kind.start(piece) == start && kind.size(piece) == length;
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

    private void hold(B piece, int start, int length) {
        if (endOfSpans == spans.length) {
            spans = Arrays.copyOf(spans, 2 * endOfSpans);
        }
        spans[endOfSpans++] = start;
        spans[endOfSpans++] = length;
        pieces.add(piece);
    }

    private void copy(ByteBuffer bytes) {
        for (int from = bytes.position(); from < bytes.limit(); ) {
            int left = bytes.limit() - from;
            if (!block.hasRemaining()) {
                endRun();
                int grown = Math.max(left, Math.max(SMALL, 2 * block.capacity()));
                block = ByteBuffer.allocate(Math.min(grown, chunkSize - size));
                runStart = 0;
            }
            int length = Math.min(left, block.remaining());
            block.put(block.position(), bytes, from, length);
            block.position(block.position() + length);
            from += length;
            size += length;
        }
    }

    private void endRun() {
        if (block.position() > runStart) {
            int length = block.position() - runStart;
            hold(kind.wrap(block.slice(runStart, length)), GATHERED, length);
            runStart = block.position();
        }
    }
}
