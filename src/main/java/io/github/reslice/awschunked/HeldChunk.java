package io.github.reslice.awschunked;

import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The start of a chunk whose header cannot be written yet, as references to what came in.
 *
 * <p>A small piece may keep a large buffer alive, so holding references alone has no bound: 1-byte pieces of pooled
 * buffers, or the short tail of a huge one. Pieces under 1 KiB, and those that would keep more alive than one chunk's
 * size in all, are therefore copied together into blocks. A block never has more room than the chunk still lacks, so
 * blocks and referenced buffers are each bounded by the chunk's size.
 */
final class HeldChunk<B> {

    private static final int SMALL = 1024;
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final BufferKind<B> kind;
    private final int chunkSize;
    private final ArrayDeque<B> pieces = new ArrayDeque<>();
    private final ArrayDeque<B> gathered = new ArrayDeque<>();
    private final Consumer<ByteBuffer> copy = this::copy;
    private ByteBuffer block = NONE;
    private int runStart;
    private int size;
    private long referenced;
    private @Nullable B own;

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
        if (kind.size(piece) < SMALL || referenced + footprint > chunkSize) {
            kind.read(piece, copy);
            kind.release(piece);
        } else {
            endRun();
            pieces.add(piece);
            referenced += footprint;
            size += kind.size(piece);
        }
    }

    /** Ends the gathering: the header is written, and the pieces are taken one by one. */
    void open() {
        endRun();
        block = NONE;
        runStart = 0;
        referenced = 0;
    }

    /** The next piece, or null. */
    @Nullable
    B poll() {
        B piece = pieces.poll();
        if (piece != null) {
            size -= kind.size(piece);
            own = piece == gathered.peek() ? gathered.poll() : null;
        }
        return piece;
    }

    /** Whether a piece is the one given last, and one that was copied together here. */
    boolean made(B piece) {
        return piece == own;
    }

    void discard(Consumer<Object> sink) {
        for (B piece = poll(); piece != null; piece = poll()) {
            if (made(piece)) {
                kind.release(piece);
            } else {
                sink.accept(piece);
            }
        }
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
            B piece = kind.wrap(block.slice(runStart, block.position() - runStart));
            runStart = block.position();
            pieces.add(piece);
            gathered.add(piece);
        }
    }
}
