package io.github.reslice.stage;

import java.nio.ByteBuffer;

/**
 * How a stage looks at a kind of buffer. {@link #BYTE_BUFFER} is the core's; Spring's {@code DataBuffer} has its own in
 * {@code io.github.reslice.spring}, Netty's {@code ByteBuf} in {@code io.github.reslice.netty}. A kind has no state and is
 * shared.
 *
 * <p>There are two sorts. A kind whose buffers may be <b>lent</b> to several stages at once, as {@code ByteBuffer}s are,
 * never touches them, and gives views by index. A kind whose buffers are <b>owned</b> by the stage that they are fed to, and
 * released, says so with {@link #splits}: {@link #take} then splits the front off, and each part is released on its own. For
 * Netty's {@code ByteBuf} that is:
 *
 * <pre>{@code
 * public boolean splits() {
 *     return true;
 * }
 *
 * public ByteBuf take(ByteBuf buffer, int from, int length) {
 *     return length == buffer.readableBytes() ? buffer : buffer.readRetainedSlice(length);
 * }
 * }</pre>
 *
 * @param <B> the buffer
 */
public interface BufferKind<B> {

    /** Java's own buffers: read through views, never touched. */
    @SuppressWarnings("ClassInitializationDeadlock") // nothing else names the class
    BufferKind<ByteBuffer> BYTE_BUFFER = new ByteBufferKind();

    /**
     * The index of the first byte to read.
     *
     * @param buffer the buffer
     * @return the index
     */
    int start(B buffer);

    /**
     * The index behind the last byte to read.
     *
     * @param buffer the buffer
     * @return the index
     */
    int end(B buffer);

    /**
     * The memory that a reference to the buffer keeps alive: the same object for buffers that share it, such as slices of
     * one array.
     *
     * @param buffer the buffer
     * @return the memory, compared by identity
     */
    Object memory(B buffer);

    /**
     * How much memory that is.
     *
     * @param buffer the buffer
     * @return bytes, as far as the buffer tells; at least those to read
     */
    int footprint(B buffer);

    /**
     * Whether {@link #take} splits what it takes off the buffer, so that each part is released on its own.
     *
     * @return whether it does
     */
    boolean splits();

    /**
     * Takes bytes of a buffer, from its front to its back without gaps: first those at {@link #start}, the last time all
     * that is left.
     *
     * @param buffer the buffer
     * @param from the index of the first byte to take, as it was before anything was taken; a kind that splits need not look
     *     at it
     * @param length how many
     * @return those bytes
     */
    B take(B buffer, int from, int length);

    /**
     * Shows bytes of a buffer without touching it.
     *
     * @param buffer the buffer
     * @param from the index of the first byte
     * @param length how many
     * @param reader is shown them, in one part or several
     */
    void read(B buffer, int from, int length, Reader reader);

    /**
     * A buffer of this kind over bytes that the stage made.
     *
     * @param bytes the bytes, which the stage uses no more
     * @return the buffer
     */
    B wrap(ByteBuffer bytes);

    /**
     * Bytes that the stage made and gives many times, such as a header that is the same before every chunk. By default each
     * piece is {@linkplain #wrap wrapped} anew; a kind with pooled buffers may keep one, and give references to it.
     *
     * @param bytes the bytes, which the stage uses no more
     * @return makes the pieces; for one subscription, and not thread-safe
     */
    default Repeated<B> repeated(ByteBuffer bytes) {
        return () -> wrap(bytes.duplicate());
    }

    /**
     * Gives back a buffer that the stage has used up and hands to nobody; or that an operator over this kind discards, where
     * the receiver has no discard hook.
     *
     * @param buffer the buffer
     */
    void release(B buffer);

    /**
     * The same bytes again and again.
     *
     * @param <B> the buffer
     */
    @FunctionalInterface
    interface Repeated<B> {

        /**
         * One more piece with these bytes, which belongs to who gets it.
         *
         * @return the piece
         */
        B next();

        /** Gives back what was kept for further pieces. Those that were given stay as they are. */
        default void close() {}
    }

    /** Is shown bytes in a buffer that may be somebody else's at the same time. */
    @FunctionalInterface
    interface Reader {

        /**
         * Reads bytes by their index, and touches neither content nor position nor limit.
         *
         * @param bytes the buffer, valid only during the call
         * @param from the index of the first byte
         * @param length how many
         */
        void read(ByteBuffer bytes, int from, int length);

        /**
         * Reads bytes of an array. By default as a buffer.
         *
         * @param bytes the array, valid only during the call
         * @param from the index of the first byte
         * @param length how many
         */
        default void readArray(byte[] bytes, int from, int length) {
            read(ByteBuffer.wrap(bytes), from, length);
        }

        /**
         * Reads the bytes between position and limit of a view that is nobody else's: the reader may move both, which saves
         * it a view of its own, and touches nothing else. By default they are read by their index.
         *
         * @param view the view, valid only during the call
         */
        default void readView(ByteBuffer view) {
            read(view, view.position(), view.remaining());
        }
    }
}
