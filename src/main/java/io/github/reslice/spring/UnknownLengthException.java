package io.github.reslice.spring;

/**
 * A request's body has no known length, so it cannot go up: S3 wants to know it before the first byte. Raised before
 * anything is sent. Give {@code contentLength(n)} on the request.
 */
public final class UnknownLengthException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    UnknownLengthException() {
        super(
                "The body's length is not known, and S3 wants it before the first byte: give it by contentLength(n) on the"
                        + " request, or send a Resource or a value whose length Spring knows. For a store that takes HTTP chunked"
                        + " transfer there is S3ExchangeFilter.builder().transferEncodingChunked()");
    }
}
