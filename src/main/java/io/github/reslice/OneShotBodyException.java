package io.github.reslice;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;

/**
 * A request's body refused to be read, most likely because it can be read only once and this is a retry. Raised before any
 * of it is sent; the cause is what the body said.
 *
 * <p>To be sent again, a body must start anew with each subscription: {@code Flux.defer(() -> open())}, or a
 * {@code Resource}. Else send it without retries.
 */
public final class OneShotBodyException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    OneShotBodyException(Throwable cause) {
        super(
                "The body could not be read from its start ("
                        + (cause.getMessage() == null ? cause.getClass().getName() : cause.getMessage())
                        + "). It can probably be read only once,"
                        + " and this is a retry or a second subscription: make it anew each time with Flux.defer(...), send a"
                        + " Resource, or do not retry",
                cause);
    }

    /**
     * Turns a body's refusal to be read into this exception: an error that comes before the first buffer, and is how a source
     * refuses that has been read before (an {@link IllegalStateException}, or a channel or stream that is closed).
     *
     * <p>Buffers, demand, discard and all other errors pass as they are.
     *
     * @param <B> the buffer
     * @return the function for {@link Flux#transform}
     */
    public static <B> Function<Flux<B>, Flux<B>> named() {
        return source -> Flux.defer(() -> {
            AtomicBoolean started = new AtomicBoolean();
            return source.doOnNext(buffer -> started.setPlain(true))
                    .onErrorMap(e -> !started.getPlain() && explains(e), OneShotBodyException::new);
        });
    }

    /** Whether an error, raised before the first buffer, is how a used source refuses: it is in no state to be read, or closed. */
    static boolean explains(Throwable error) {
        if (error instanceof IllegalStateException) {
            return !(error instanceof CancellationException)
                    && !Exceptions.isOverflow(error)
                    && !Exceptions.isRetryExhausted(error);
        }
        // not a subclass: Netty's are of connections, and the body may come from one
        return error.getClass() == ClosedChannelException.class
                || (error instanceof IOException && "stream closed".equalsIgnoreCase(error.getMessage()));
    }
}
