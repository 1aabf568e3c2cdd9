package io.github.reslice.awschunked;

/**
 * The bounds of what a {@link Decoder} takes.
 *
 * @param minChunkSize bytes that every chunk but the last must have; 0 or 1 for no bound
 * @param maxChunkSize bytes that a chunk may have, from 1
 * @param maxHeaderLine bytes that a chunk's header may have without its CRLF, from 1
 * @param maxTrailers how many trailers a request may announce
 * @param maxTrailerSize bytes that all trailers together may have without their line ends, that of their signature too
 */
public record Limits(int minChunkSize, int maxChunkSize, int maxHeaderLine, int maxTrailers, int maxTrailerSize) {

    /**
     * Checks each bound.
     *
     * @param minChunkSize as above
     * @param maxChunkSize as above
     * @param maxHeaderLine as above
     * @param maxTrailers as above
     * @param maxTrailerSize as above
     * @throws IllegalArgumentException if one is too small
     */
    public Limits {
        atLeast(0, "The smallest chunk", minChunkSize);
        atLeast(1, "The largest chunk", maxChunkSize);
        atLeast(1, "The longest header line", maxHeaderLine);
        atLeast(0, "The number of trailers", maxTrailers);
        atLeast(0, "The trailers' size", maxTrailerSize);
    }

    private static void atLeast(int least, String what, int value) {
        if (value < least) {
            throw new IllegalArgumentException(what + " must be " + least + " or more, was " + value);
        }
    }

    /**
     * Checks what a request announces.
     *
     * @param announced what it announces
     * @throws IllegalArgumentException if there are more trailers than the bound
     */
    public void check(Announced announced) {
        int trailers = announced.requiredTrailers().size();
        if (trailers > maxTrailers) {
            throw new IllegalArgumentException(
                    "At most " + maxTrailers + " trailers may be announced, there were " + trailers);
        }
    }
}
