package io.github.reslice;

import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Stage;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.publisher.Flux;

/**
 * Cuts a stream of bytes anew, or holds it to its length.
 *
 * <pre>{@code
 * Flux<ByteBuffer> parts = source.transform(Reslice.toSize(5 * 1024 * 1024));
 * Flux<ByteBuffer> body = source.transform(Reslice.exactLength(contentLength));
 * }</pre>
 */
public final class Reslice {

    private static final int MAX_SIZE = 1024 * 1024 * 1024;

    private Reslice() {}

    /**
     * Makes every buffer {@code size} bytes long, the last one shorter. Empty buffers vanish; a stream without bytes stays
     * empty.
     *
     * <p><b>Buffers.</b> What lies inside one incoming buffer is handed on as that buffer or as a view of it; only what
     * straddles two is copied, into one buffer. Incoming buffers are read and never touched, and must not change until
     * their pieces have been used. A buffer that was copied is not given to a discard hook.
     *
     * <p><b>Demand</b> is kept to the item; completion needs none once the source has completed. Held are at most one incoming
     * buffer and one that is being filled.
     *
     * <p><b>Discard.</b> On cancel and on error the incoming buffer goes to the {@link Flux#doOnDiscard discard hook}, as
     * itself or, when part of it was given, as its rest.
     *
     * <p>{@code onErrorContinue} has no meaning here, since bytes would be missing: errors end the stream.
     *
     * @param size bytes in each buffer, from 1 to 1 GiB
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the size is out of bounds
     */
    public static Function<Flux<ByteBuffer>, Flux<ByteBuffer>> toSize(int size) {
        return toSize(BufferKind.BYTE_BUFFER, size);
    }

    /**
     * {@link #toSize(int)} for another kind of buffer.
     *
     * @param <B> the buffer
     * @param kind how to look at it
     * @param size bytes in each buffer, from 1 to 1 GiB
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the size is out of bounds
     */
    public static <B> Function<Flux<B>, Flux<B>> toSize(BufferKind<B> kind, int size) {
        Objects.requireNonNull(kind, "kind");
        if (size < 1 || size > MAX_SIZE) {
            throw new IllegalArgumentException("The size must be from 1 to " + MAX_SIZE + " bytes, was " + size);
        }
        return Stage.operator(kind, () -> new FixedSizeStage<>(kind, size));
    }

    /**
     * Holds a stream to its declared length: one that is longer or shorter fails with a
     * {@link io.github.reslice.awschunked.DecodedLengthException}, which has both numbers, before as many bytes as were
     * declared are out. So whoever counts bytes, such as a server that was told a Content-Length, never takes a broken body for
     * a whole one.
     *
     * <p><b>Buffers</b> are handed on as they are, empty ones left out.
     *
     * <p><b>Demand</b> is kept to the item. The buffer that completes the length is held until the source has completed.
     *
     * <p><b>Discard.</b> On cancel and on error the buffer that is held goes to the {@link Flux#doOnDiscard discard hook}.
     *
     * <p>{@code onErrorContinue} has no meaning here, since bytes would be missing: errors end the stream.
     *
     * @param length bytes in the whole stream
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the length is below zero
     */
    public static Function<Flux<ByteBuffer>, Flux<ByteBuffer>> exactLength(long length) {
        return exactLength(BufferKind.BYTE_BUFFER, length);
    }

    /**
     * {@link #exactLength(long)} for another kind of buffer.
     *
     * @param <B> the buffer
     * @param kind how to look at it
     * @param length bytes in the whole stream
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the length is below zero
     */
    public static <B> Function<Flux<B>, Flux<B>> exactLength(BufferKind<B> kind, long length) {
        Objects.requireNonNull(kind, "kind");
        if (length < 0) {
            throw new IllegalArgumentException("The length must be at least 0 bytes, was " + length);
        }
        return Stage.operator(kind, () -> new ExactLengthStage<>(kind, length));
    }
}
