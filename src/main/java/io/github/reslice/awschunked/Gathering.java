package io.github.reslice.awschunked;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Copies small pieces together into blocks, and gives the bytes of a block in runs. */
final class Gathering {

    private static final int FIRST_BLOCK = 1024;
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private ByteBuffer block = NONE;
    private int runStart;

    /** Bytes that the block still has room for. */
    int room() {
        return block.remaining();
    }

    /** Starts a new block, with room for {@code wanted} bytes or more and for {@code most} at most. */
    void startBlock(int wanted, int most) {
        long grown = Math.max(wanted, Math.max(FIRST_BLOCK, 2L * block.capacity()));
        block = ByteBuffer.allocate((int) Math.min(grown, most));
        runStart = 0;
    }

    /** Copies what fits, and says how much. */
    int add(ByteBuffer bytes, int from, int length) {
        int fits = Math.min(length, block.remaining());
        block.put(block.position(), bytes, from, fits);
        block.position(block.position() + fits);
        return fits;
    }

    /** The bytes added since the run before, or null if there are none. */
    @Nullable
    ByteBuffer takeRun() {
        int length = block.position() - runStart;
        if (length == 0) {
            return null;
        }
        ByteBuffer run = block.slice(runStart, length);
        runStart = block.position();
        return run;
    }

    /** Lets go of the block: who has its runs keeps it alive. */
    void letGo() {
        block = NONE;
        runStart = 0;
    }
}
