package io.github.reslice.checksum;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The kinds of buffer that somebody may hand over, each with bytes before and after those between position and limit. */
enum TestBuffer {
    HEAP {
        @Override
        ByteBuffer around(byte[] padded) {
            return ByteBuffer.wrap(padded);
        }
    },
    HEAP_WITH_ARRAY_OFFSET {
        @Override
        ByteBuffer around(byte[] padded) {
            byte[] larger = new byte[padded.length + 5];
            return ByteBuffer.wrap(larger).position(5).slice().put(padded).clear();
        }
    },
    DIRECT {
        @Override
        ByteBuffer around(byte[] padded) {
            return ByteBuffer.allocateDirect(padded.length).put(padded).clear();
        }
    },
    READ_ONLY_HEAP {
        @Override
        ByteBuffer around(byte[] padded) {
            return HEAP_WITH_ARRAY_OFFSET.around(padded).asReadOnlyBuffer();
        }
    },
    READ_ONLY_DIRECT {
        @Override
        ByteBuffer around(byte[] padded) {
            return DIRECT.around(padded).asReadOnlyBuffer();
        }
    };

    private static final int BEFORE = 3;
    private static final int AFTER = 7;

    ByteBuffer of(byte[] content, int offset, int length) {
        byte[] padded = new byte[BEFORE + length + AFTER];
        Arrays.fill(padded, (byte) 0x5a);
        ByteBuffer.wrap(padded, BEFORE, length).put(content, offset, length);
        return around(padded).position(BEFORE).limit(BEFORE + length);
    }

    ByteBuffer of(byte[] content) {
        return of(content, 0, content.length);
    }

    abstract ByteBuffer around(byte[] padded);
}
