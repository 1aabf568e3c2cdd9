package io.github.reslice.awschunked;

import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Pooled buffers that are split and counted like Netty's: memory is live until every part of it has been released, and
 * to release a part twice, or to use it afterwards, is an error.
 */
public final class Pool implements BufferKind<Pool.Buffer> {

    private final Set<Memory> live = Collections.newSetFromMap(new IdentityHashMap<>());
    private long liveBytes;
    private long wrappedBytes;

    /** A buffer that shows {@code size} of its memory's {@code capacity} bytes. */
    public Buffer allocate(byte[] content, int from, int size, int capacity) {
        byte[] bytes = new byte[size];
        System.arraycopy(content, from, bytes, 0, size);
        return new Buffer(memory(bytes, capacity), 0, size);
    }

    /** Bytes of memory not yet released. */
    long liveBytes() {
        return liveBytes;
    }

    /** The memory not yet released, that of framing too. */
    public Set<?> live() {
        return live;
    }

    /** Bytes of payload that the stage has copied. */
    long wrappedBytes() {
        return wrappedBytes;
    }

    private Memory memory(Object key, int capacity) {
        for (Memory memory : live) {
            if (memory.key == key) {
                return memory;
            }
        }
        Memory memory = new Memory(key, capacity);
        live.add(memory);
        liveBytes += capacity;
        return memory;
    }

    @Override
    public int start(Buffer buffer) {
        return buffer.use().start;
    }

    @Override
    public int end(Buffer buffer) {
        return buffer.use().start + buffer.size;
    }

    @Override
    public Object memory(Buffer buffer) {
        return buffer.use().memory;
    }

    @Override
    public int footprint(Buffer buffer) {
        return buffer.use().memory.capacity;
    }

    @Override
    public boolean splits() {
        return true;
    }

    @Override
    public Buffer take(Buffer buffer, int from, int length) {
        buffer.use();
        if (length == buffer.size) {
            return buffer;
        }
        Buffer front = new Buffer(buffer.memory, buffer.start, length);
        buffer.start += length;
        buffer.size -= length;
        return front;
    }

    @Override
    public void read(Buffer buffer, int from, int length, Reader reader) {
        reader.read(buffer.bytes(), from, length);
    }

    /** What the stage made counts with the array behind it, all pieces of one array together; framing does not count. */
    @Override
    public Buffer wrap(ByteBuffer bytes) {
        if (!bytes.hasArray()) {
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(bytes.position(), copy);
            return new Buffer(memory(copy, 0), 0, copy.length);
        }
        wrappedBytes += bytes.remaining();
        Memory memory = memory(bytes.array(), bytes.array().length);
        return new Buffer(memory, bytes.arrayOffset() + bytes.position(), bytes.remaining());
    }

    /** As Netty's: one buffer that lasts until it is closed, and a part of its memory for each piece. */
    @Override
    public Repeated<Buffer> repeated(ByteBuffer bytes) {
        Buffer kept = wrap(bytes);
        return new Repeated<>() {
            @Override
            public Buffer next() {
                return new Buffer(kept.use().memory, 0, kept.size);
            }

            @Override
            public void close() {
                release(kept);
            }
        };
    }

    @Override
    public void release(Buffer buffer) {
        buffer.use().released = true;
        if (--buffer.memory.parts == 0) {
            live.remove(buffer.memory);
            liveBytes -= buffer.memory.capacity;
        }
    }

    private static final class Memory {

        private final Object key;
        private final int capacity;
        private int parts;

        Memory(Object key, int capacity) {
            this.key = key;
            this.capacity = capacity;
        }
    }

    /** A part of pooled memory. */
    public static final class Buffer {

        private final Memory memory;
        private int start;
        private int size;
        private boolean released;

        private Buffer(Memory memory, int start, int size) {
            this.memory = memory;
            this.start = start;
            this.size = size;
            memory.parts++;
        }

        /** The bytes, as a view. */
        ByteBuffer bytes() {
            return ByteBuffer.wrap((byte[]) use().memory.key, start, size);
        }

        private Buffer use() {
            if (released) {
                throw new IllegalStateException("A released buffer was used or released again");
            }
            return this;
        }
    }
}
