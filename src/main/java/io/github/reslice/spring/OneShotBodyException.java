package io.github.reslice.spring;

/**
 * A request's body refused to be read, most likely because it can be read only once and this is a retry. Raised before any
 * of it is sent; the cause is what the body said.
 *
 * <p>To be sent again, a body must start anew with each subscription: {@code Flux.defer(() -> open())}, or a
 * {@code Resource}. Else send it without retries.
 */
public final class OneShotBodyException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    OneShotBodyException(IllegalStateException cause) {
        super(
                "The body could not be read from its start (" + cause.getMessage()
                        + "). It can probably be read only once,"
                        + " and this is a retry or a second subscription: make it anew each time with Flux.defer(...), send a"
                        + " Resource, or do not retry",
                cause);
    }
}
