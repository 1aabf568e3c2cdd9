package io.github.reslice.checksum;

/** The bytes that came are not those that the checksum was computed over. */
public final class ChecksumMismatchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What both were computed with. */
    private final ChecksumAlgorithm algorithm;

    /** The announced one, in base64. */
    private final String expected;

    /** That of the bytes, in base64. */
    private final String actual;

    /**
     * A mismatch of two checksums, both in base64.
     *
     * @param algorithm what they were computed with
     * @param expected the checksum that was announced
     * @param actual the checksum of the bytes that came
     */
    public ChecksumMismatchException(ChecksumAlgorithm algorithm, String expected, String actual) {
        super("The " + algorithm + " checksum should be " + expected + ", but that of the bytes is " + actual);
        this.algorithm = algorithm;
        this.expected = expected;
        this.actual = actual;
    }

    /**
     * What the checksums were computed with.
     *
     * @return the algorithm
     */
    public ChecksumAlgorithm algorithm() {
        return algorithm;
    }

    /**
     * The checksum that was announced.
     *
     * @return its base64
     */
    public String expected() {
        return expected;
    }

    /**
     * The checksum of the bytes that came.
     *
     * @return its base64
     */
    public String actual() {
        return actual;
    }
}
