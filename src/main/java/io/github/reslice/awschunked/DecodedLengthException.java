package io.github.reslice.awschunked;

/**
 * A body that does not have the length it was declared with. Raised before the zero chunk or, of a body that is not
 * encoded, before the last byte, so that no server takes what was sent for a whole object.
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

    /**
     * Of a body that is longer than declared.
     *
     * @param declared what was declared, in bytes
     * @param received what has come, in bytes, with the first buffer that goes beyond
     * @return the exception
     */
    public static DecodedLengthException tooLong(long declared, long received) {
        return new DecodedLengthException(
                "The body is longer than declared: " + declared + " bytes were declared, " + received + " have come",
                declared,
                received);
    }

    /**
     * Of a body that ended before it had the declared length.
     *
     * @param declared what was declared, in bytes
     * @param received what had come, in bytes
     * @return the exception
     */
    public static DecodedLengthException tooShort(long declared, long received) {
        String hint = received == 0 ? "; if this is a retry, the source can probably be read only once" : "";
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
