package io.github.reslice.checksum;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A checksum over the bytes seen so far.
 *
 * <pre>{@code
 * RunningChecksum checksum = ChecksumAlgorithm.CRC64NVME.start();
 * checksum.update(first);
 * checksum.update(second);
 * String value = checksum.base64();
 * }</pre>
 *
 * <p>{@code update} reads a buffer and never touches it, so the same buffer may be in several computations at once. A buffer
 * on the heap costs no allocation. A direct one costs at most two views of itself of 64 bytes each or, with the algorithms
 * that read arrays alone, a scratch array that is kept; a read-only one on the heap costs that scratch array.
 *
 * <p><b>It can be ended once</b>: after {@link #digest()} or {@link #base64()}, every method throws
 * {@link IllegalStateException}. Not thread-safe.
 */
public abstract class RunningChecksum {

    private static final int SCRATCH_SIZE = 4096;

    private byte @Nullable [] scratch;
    private boolean ended;

    RunningChecksum() {}

    /**
     * Adds the bytes between position and limit, and touches neither.
     *
     * @param buffer any kind of buffer
     * @throws IllegalStateException if the computation has ended
     */
    public final void update(ByteBuffer buffer) {
        int position = buffer.position();
        update(buffer, position, buffer.limit() - position);
    }

    /**
     * Adds the bytes at {@code from} and behind it, wherever position and limit are, and touches neither. The range may lie
     * anywhere within the buffer's capacity, behind its limit too, whatever the algorithm and the kind of buffer.
     *
     * @param buffer any kind of buffer
     * @param from the index of the first byte
     * @param length how many bytes
     * @throws IndexOutOfBoundsException if the range is not within the capacity; nothing has been added then
     * @throws IllegalStateException if the computation has ended
     */
    public final void update(ByteBuffer buffer, int from, int length) {
        requireRunning();
        Objects.checkFromIndexSize(from, length, buffer.capacity());
        if (buffer.hasArray()) {
            add(buffer.array(), buffer.arrayOffset() + from, length);
        } else {
            add(buffer, from, length);
        }
    }

    /**
     * Adds the bytes between position and limit, and moves the position to the limit. Where a direct buffer costs
     * views, it then costs one less.
     *
     * @param buffer any kind of buffer, which nobody else uses meanwhile
     * @throws IllegalStateException if the computation has ended
     */
    public final void consume(ByteBuffer buffer) {
        requireRunning();
        if (buffer.isDirect()) {
            addDirect(buffer);
        } else {
            update(buffer);
        }
        buffer.position(buffer.limit());
    }

    /**
     * Adds a range of an array.
     *
     * @param bytes the array
     * @param offset where the range begins
     * @param length how many bytes it has
     * @throws IndexOutOfBoundsException if the array has no such range
     * @throws IllegalStateException if the computation has ended
     */
    public final void update(byte[] bytes, int offset, int length) {
        requireRunning();
        Objects.checkFromIndexSize(offset, length, bytes.length);
        add(bytes, offset, length);
    }

    /**
     * The raw checksum. Ends this computation.
     *
     * @return its bytes, the most significant first
     * @throws IllegalStateException if the computation has ended already
     */
    public final byte[] digest() {
        requireRunning();
        ended = true;
        return end();
    }

    /**
     * The checksum in base64, as S3 writes it. Ends this computation.
     *
     * @return the base64 of {@link #digest()}
     * @throws IllegalStateException if the computation has ended already
     */
    public final String base64() {
        return Base64.getEncoder().encodeToString(digest());
    }

    abstract void add(byte[] bytes, int offset, int length);

    /** Adds bytes of a buffer that shows no array: direct, or read-only. */
    void add(ByteBuffer buffer, int position, int length) {
        byte[] bytes = scratch;
        if (bytes == null) {
            bytes = new byte[SCRATCH_SIZE];
            scratch = bytes;
        }
        // an absolute read goes no further than the limit
        ByteBuffer whole =
                position + length > buffer.limit() ? buffer.duplicate().clear() : buffer;
        for (int done = 0; done < length; ) {
            int size = Math.min(SCRATCH_SIZE, length - done);
            whole.get(position + done, bytes, 0, size);
            add(bytes, 0, size);
            done += size;
        }
    }

    /** Adds what a direct buffer has left; its position may be moved. */
    void addDirect(ByteBuffer own) {
        add(own, own.position(), own.remaining());
    }

    /** A view of a range, which {@link ByteBuffer#slice(int, int)} would not give behind the limit. */
    static ByteBuffer view(ByteBuffer buffer, int position, int length) {
        return buffer.duplicate().limit(position + length).position(position);
    }

    abstract byte[] end();

    private void requireRunning() {
        if (ended) {
            throw new IllegalStateException("The checksum has been taken; start a new one");
        }
    }
}
