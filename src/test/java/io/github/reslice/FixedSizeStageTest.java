package io.github.reslice;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.reslice.stage.BufferKind;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What joining allocates, in bytes. */
class FixedSizeStageTest {

    private static final int SIZE = 128 * 1024;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final ByteBuffer one = ByteBuffer.allocate(1);

    FixedSizeStageTest() {
        allocatedByOnePiece(newStage()); // classes are loaded then
    }

    @Test
    void joinsTheSmallestPiecesByDoubling() {
        assertThat(allocatedByOnePiece(newStage())).isBetween(SIZE + 0L, 3L * SIZE);
    }

    @Test
    void allocatesTheSecondJoinedPieceAtOnce() {
        FixedSizeStage<ByteBuffer> stage = newStage();
        allocatedByOnePiece(stage);

        assertThat(allocatedByOnePiece(stage)).isBetween(SIZE + 0L, SIZE + SIZE / 2L);
    }

    private long allocatedByOnePiece(FixedSizeStage<ByteBuffer> stage) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        int fed = 0;
        ByteBuffer piece = stage.poll();
        while (piece == null) {
            stage.feed(one);
            fed++;
            piece = stage.poll();
        }
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertThat(fed).isEqualTo(SIZE);
        assertThat(piece.remaining()).isEqualTo(SIZE);
        return allocated;
    }

    private static FixedSizeStage<ByteBuffer> newStage() {
        return new FixedSizeStage<>(BufferKind.BYTE_BUFFER, SIZE);
    }
}
