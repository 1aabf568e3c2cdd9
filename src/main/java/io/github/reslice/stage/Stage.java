package io.github.reslice.stage;

import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * A byte framing as plain code: fed one buffer at a time, and asked for pieces until it has none.
 *
 * <p>A stage knows nothing of subscribers. {@link #operator(Supplier)} carries it through a {@link Flux}, and adds
 * demand, cancellation, errors, discard and context. A stage that puts each buffer's size in front of it:
 *
 * <pre>{@code
 * final class LengthPrefix implements Stage<ByteBuffer, ByteBuffer> {
 *     private @Nullable ByteBuffer buffer;
 *     private boolean prefixed;
 *
 *     @Override
 *     public void feed(ByteBuffer incoming) {
 *         buffer = incoming;
 *         prefixed = false;
 *     }
 *
 *     @Override
 *     public void end() {}
 *
 *     @Override
 *     public @Nullable ByteBuffer poll() {
 *         if (buffer != null && !prefixed) {
 *             prefixed = true;
 *             return ByteBuffer.allocate(4).putInt(0, buffer.remaining());
 *         }
 *         ByteBuffer piece = buffer;
 *         buffer = null;
 *         return piece;
 *     }
 *
 *     @Override
 *     public void discardUnsent(ByteBuffer piece, Consumer<Object> sink) {
 *         if (buffer == null) sink.accept(piece); // else it is a prefix, and not the user's
 *     }
 *
 *     @Override
 *     public void discard(Consumer<Object> sink) {
 *         if (buffer != null) sink.accept(buffer);
 *     }
 * }
 *
 * Flux<ByteBuffer> framed = source.transform(Stage.operator(LengthPrefix::new));
 * }</pre>
 *
 * <p><b>Calls never overlap</b>: a stage needs no locks, and sees each call's effects in the next one. {@code feed} and
 * {@code end} come only after {@link #poll()} has said {@code null}.
 *
 * <p><b>Errors.</b> {@code feed}, {@code end} and {@code poll} may throw. The pieces already given stand, upstream is
 * cancelled, what the stage holds is discarded, and the subscriber gets the error.
 *
 * @param <I> what comes in
 * @param <O> what goes out
 */
public interface Stage<I, O> {

    /**
     * Takes the next buffer, which belongs to the stage from here on. If this throws, the buffer is discarded: by the
     * stage's own {@link #discard} if it gives it back there, else by the operator. After it has thrown, as after {@link #end}
     * and {@link #poll} have, only {@link #discard} is called.
     *
     * @param buffer the buffer
     */
    void feed(I buffer);

    /** Says that no more input follows. */
    void end();

    /**
     * The next piece, or {@code null}: more input is needed, or all is given.
     *
     * @return the piece
     */
    @Nullable
    O poll();

    /**
     * Whether the last piece has been given although more is to come in, which gives none: a closing frame, for example.
     * Upstream is then asked for it without demand, so that a receiver that asked for exactly the pieces that there are is
     * told of completion, or of what is wrong with the rest.
     *
     * @return whether no input gives a piece any more; false by default
     */
    default boolean awaitsOnlyTheEnd() {
        return false;
    }

    /**
     * Gives back what the stage still holds. Called exactly once, at the very end, after success too. What is the user's
     * goes to {@code sink}, as the object that came in or, when part of it was given, as its rest; what the stage made
     * itself, framing for instance, does not.
     *
     * @param sink takes what is the user's
     */
    void discard(Consumer<Object> sink);

    /**
     * <b>To be overridden by a stage that makes framing or views.</b> Gives back a piece that {@link #poll()} gave and nobody received. Called at most once, right before
     * {@link #discard}, and only with the piece polled last. By default it goes to {@code sink} as the user's; a stage
     * that makes framing, or views, says otherwise.
     *
     * @param piece the piece polled last
     * @param sink takes what is the user's
     */
    default void discardUnsent(O piece, Consumer<Object> sink) {
        sink.accept(piece);
    }

    /**
     * The operator that carries a stage, for {@link Flux#transform}. Every subscription gets a stage of its own from
     * {@code stages}.
     *
     * <p><b>Demand</b> is kept to the item: upstream is asked for one buffer when the receiver wants a piece and the stage
     * has none, or for everything when the receiver wants everything. Errors need no demand, and neither does completion once
     * the source has completed.
     *
     * <p><b>Discard</b>: on cancel and on error what is held goes to the receiver's
     * {@link Flux#doOnDiscard discard hook}, once. {@code onErrorContinue} has no meaning inside a framing, since leaving
     * bytes out corrupts it: errors end the stream.
     *
     * @param stages makes a stage for each subscription
     * @param <I> what comes in
     * @param <O> what goes out
     * @return the operator
     */
    static <I, O> Function<Flux<I>, Flux<O>> operator(Supplier<? extends Stage<I, O>> stages) {
        Objects.requireNonNull(stages, "stages");
        return source -> new FluxStage<>(source, stages, null);
    }

    /**
     * The same for a stage over a kind of buffer. What is discarded is {@linkplain BufferKind#release released}, unless the
     * receiver has a discard hook (for whatever type): then it goes there instead, and the hook must release it.
     *
     * @param kind how to look at the buffers
     * @param stages makes a stage for each subscription
     * @param <B> the buffer
     * @return the operator
     */
    static <B> Function<Flux<B>, Flux<B>> operator(BufferKind<B> kind, Supplier<? extends Stage<B, B>> stages) {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(stages, "stages");
        return source -> new FluxStage<>(source, stages, kind);
    }
}
