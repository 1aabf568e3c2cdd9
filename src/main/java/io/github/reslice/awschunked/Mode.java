package io.github.reslice.awschunked;

import java.util.Arrays;
import java.util.stream.Collectors;

/** How an {@code aws-chunked} body is protected: what a request's {@code x-amz-content-sha256} says in place of a hash. */
public enum Mode {
    /** No signatures; trailers may follow. */
    UNSIGNED("STREAMING-UNSIGNED-PAYLOAD-TRAILER"),
    /** Every chunk signed; no trailers. */
    SIGNED("STREAMING-AWS4-HMAC-SHA256-PAYLOAD"),
    /** Every chunk signed, and the trailers too. */
    SIGNED_WITH_TRAILER("STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER");

    private final String headerValue;

    Mode(String headerValue) {
        this.headerValue = headerValue;
    }

    /**
     * The value of {@code x-amz-content-sha256}.
     *
     * @return for example {@code STREAMING-UNSIGNED-PAYLOAD-TRAILER}
     */
    public String headerValue() {
        return headerValue;
    }

    /**
     * Whether every chunk has a signature.
     *
     * @return whether it has
     */
    public boolean isSigned() {
        return this != UNSIGNED;
    }

    /** As S3 writes it. */
    @Override
    public String toString() {
        return headerValue;
    }

    /**
     * The mode with a given value of {@code x-amz-content-sha256}.
     *
     * @param headerValue the value, exactly as S3 writes it
     * @return the mode
     * @throws IllegalArgumentException if it is none of these: a hash, {@code UNSIGNED-PAYLOAD}, a mode of SigV4a
     */
    public static Mode of(String headerValue) {
        return Arrays.stream(values())
                .filter(mode -> mode.headerValue.equals(headerValue))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("x-amz-content-sha256 must be one of "
                        + Arrays.stream(values()).map(Mode::toString).collect(Collectors.joining(", "))
                        + " for an aws-chunked body that can be decoded, was " + Quoted.text(headerValue)));
    }
}
