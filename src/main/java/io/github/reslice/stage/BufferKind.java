package io.github.reslice.stage;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * How to look at a kind of buffer. {@link #BYTE_BUFFER} is the core's; Spring's {@code DataBuffer} has its own in
 * {@code io.github.reslice.spring}.
 *
 * <p>A kind is stateless and shared.
 *
 * @param <B> the buffer
 */
public interface BufferKind<B> {

    /** Java's own buffers: read through views, never touched. */
    BufferKind<ByteBuffer> BYTE_BUFFER = new ByteBufferKind();

    /**
     * The index of the first byte to read.
     *
     * @param buffer the buffer
     * @return the index
     */
    int start(B buffer);

    /**
     * Bytes to read.
     *
     * @param buffer the buffer
     * @return how many
     */
    int size(B buffer);

    /**
     * Bytes of memory that a reference to the buffer keeps alive, as far as the buffer tells.
     *
     * @param buffer the buffer
     * @return how many, at least its size
     */
    int footprint(B buffer);

    /**
     * Whether {@link #take} splits what it takes off the buffer, so that each part is released on its own.
     *
     * @return whether it does
     */
    boolean splits();

    /**
     * The {@code length} bytes from index {@code from} on, as it was when the buffer was fed. Called in order, front to
     * back, without gaps: a kind that {@link #splits} takes the front off and need not look at {@code from}, and gives the
     * buffer itself for its last bytes.
     *
     * @param buffer the buffer
     * @param from the index of the first byte to take
     * @param length how many
     * @return those bytes
     */
    B take(B buffer, int from, int length);

    /**
     * Shows a buffer's bytes without touching it, in one or more views that are valid only during the call.
     *
     * @param buffer the buffer
     * @param reader gets the views
     */
    void read(B buffer, Consumer<ByteBuffer> reader);

    /**
     * A buffer of this kind over bytes that the stage made.
     *
     * @param bytes the bytes
     * @return the buffer
     */
    B wrap(ByteBuffer bytes);

    /**
     * Gives back a buffer that the stage has used up and hands to nobody.
     *
     * @param buffer the buffer
     */
    void release(B buffer);
}
