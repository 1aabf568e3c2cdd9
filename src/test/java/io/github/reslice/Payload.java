package io.github.reslice;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random bytes, and buffers of every kind over them. */
final class Payload {

    private Payload() {}

    static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Cuts bytes into buffers of up to {@code most} bytes: heap and direct, read-only, with an offset, empty. */
    static List<ByteBuffer> slice(Random random, byte[] bytes, int most) {
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int from = 0; from < bytes.length; ) {
            int length = Math.min(bytes.length - from, random.nextInt(most + 1));
            int offset = random.nextInt(3);
            int room = offset + length + random.nextInt(3);
            ByteBuffer buffer = random.nextBoolean() ? ByteBuffer.allocate(room) : ByteBuffer.allocateDirect(room);
            buffer.put(offset, bytes, from, length).position(offset).limit(offset + length);
            buffers.add(random.nextBoolean() ? buffer : buffer.asReadOnlyBuffer());
            from += length;
        }
        return buffers;
    }

    static byte[] join(List<ByteBuffer> buffers) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        buffers.forEach(buffer -> bytes.writeBytes(copy(buffer)));
        return bytes.toByteArray();
    }

    static byte[] copy(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(buffer.position(), bytes);
        return bytes;
    }
}
