package io.github.reslice.benchmarks;

import java.nio.ByteBuffer;

/** Where a body's buffers are. */
public enum Memory {
    HEAP {
        @Override
        ByteBuffer allocate(int size) {
            return ByteBuffer.allocate(size);
        }
    },
    DIRECT {
        @Override
        ByteBuffer allocate(int size) {
            return ByteBuffer.allocateDirect(size);
        }
    };

    abstract ByteBuffer allocate(int size);
}
