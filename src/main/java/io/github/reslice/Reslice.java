package io.github.reslice;

import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Stage;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.publisher.Flux;

/**
 * Cuts a stream of bytes anew.
 *
 * <pre>{@code
 * Flux<ByteBuffer> parts = source.transform(Reslice.toSize(5 * 1024 * 1024));
 * }</pre>
 */
public final class Reslice {

    private Reslice() {}

    /**
     * Makes every buffer {@code size} bytes long, the last one shorter. Empty buffers vanish; a stream without bytes stays
     * empty.
     *
     * <p><b>Buffers.</b> What lies inside one incoming buffer is handed on as that buffer or as a view of it; only what
     * straddles two is copied, into one buffer. Incoming buffers are read and never touched, and must not change until
     * their pieces have been used.
     *
     * <p><b>Demand</b> is kept to the item. Held are at most one incoming buffer and one that is being filled.
     *
     * <p><b>Discard.</b> On cancel and on error the incoming buffer goes to the {@link Flux#doOnDiscard discard hook}, as
     * itself or, when part of it was given, as its rest.
     *
     * @param size bytes in each buffer, from 1
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the size is below 1
     */
    public static Function<Flux<ByteBuffer>, Flux<ByteBuffer>> toSize(int size) {
        return toSize(BufferKind.BYTE_BUFFER, size);
    }

    /**
     * {@link #toSize(int)} for another kind of buffer.
     *
     * @param <B> the buffer
     * @param kind how to look at it
     * @param size bytes in each buffer, from 1
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the size is below 1
     */
    public static <B> Function<Flux<B>, Flux<B>> toSize(BufferKind<B> kind, int size) {
        Objects.requireNonNull(kind, "kind");
        if (size < 1) {
            throw new IllegalArgumentException("The size must be 1 byte or more, was " + size);
        }
        return Stage.operator(() -> new FixedSizeStage<>(kind, size));
    }
}
