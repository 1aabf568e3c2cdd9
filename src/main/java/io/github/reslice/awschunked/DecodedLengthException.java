package io.github.reslice.awschunked;

/**
 * A body that does not have the length it was declared with. Raised before the zero chunk, so that no server takes what
 * was sent for a whole object.
 */
public final class DecodedLengthException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What was declared. */
    private final long declared;
    /** What had come. */
    private final long received;

    private DecodedLengthException(String message, long declared, long received) {
        super(message);
        this.declared = declared;
        this.received = received;
    }

    static DecodedLengthException tooLong(long declared, long received) {
        return new DecodedLengthException(
                "The body is longer than declared: " + declared + " bytes were declared, " + received + " have come",
                declared,
                received);
    }

    static DecodedLengthException tooShort(long declared, long received) {
        String hint = received == 0
                ? "; a source that can be read only once has nothing left for a retry or a second subscription"
                : "";
        return new DecodedLengthException(
                "The body is shorter than declared: " + declared + " bytes were declared, " + received
                        + " had come when it ended" + hint,
                declared,
                received);
    }

    /**
     * The length that was declared.
     *
     * @return bytes
     */
    public long declared() {
        return declared;
    }

    /**
     * What had come when it was noticed; of a body that is too long, up to the first buffer that goes beyond.
     *
     * @return bytes
     */
    public long received() {
        return received;
    }
}
