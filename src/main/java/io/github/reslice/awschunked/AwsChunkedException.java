package io.github.reslice.awschunked;

/**
 * An encoded body that was refused: why, and where.
 *
 * <pre>{@code
 * payload.onErrorResume(AwsChunkedException.class, e -> refuse(e.reason().status(), e.reason().s3Code(), e.getMessage()));
 * }</pre>
 *
 * <p>The message says what was expected, what came (made visible, and cut short) and the bound that it broke. It never has
 * the signature that would have been right.
 */
public final class AwsChunkedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why. */
    private final Reason reason;
    /** Where. */
    private final long offset;

    AwsChunkedException(Reason reason, long offset, String message) {
        super(message + " (" + reason.s3Code() + ", at byte " + offset + " of the encoded body)");
        this.reason = reason;
        this.offset = offset;
    }

    /**
     * Why the body was refused.
     *
     * @return the reason
     */
    public Reason reason() {
        return reason;
    }

    /**
     * Where the fault is: the byte that is wrong; of a chunk or a trailer that is wrong as a whole, the first byte of its
     * line; of what is missing, where it should have been.
     *
     * @return bytes of the encoded body before it
     */
    public long offset() {
        return offset;
    }

    /** Why a body was refused. */
    public enum Reason {
        /** The body ended before its last CRLF. */
        TRUNCATED("IncompleteBody"),
        /** A line does not end in CRLF: one is missing, or CR or LF stands alone. */
        MISSING_CRLF("IncompleteBody"),
        /** More came after the end of the body. */
        DATA_AFTER_END("IncompleteBody"),
        /** A chunk's header is longer than the bound. */
        HEADER_TOO_LONG("IncompleteBody"),
        /** A chunk's size is not 1 to 16 hexadecimal digits and nothing else. */
        MALFORMED_CHUNK_SIZE("IncompleteBody"),
        /** A chunk has an extension where none may be, or another one than its signature. */
        UNEXPECTED_EXTENSION("IncompleteBody"),
        /** A chunk is larger than the bound. */
        CHUNK_TOO_LARGE("InvalidChunkSizeError"),
        /** A chunk that is not the last one is smaller than the bound. */
        CHUNK_TOO_SMALL("InvalidChunkSizeError"),
        /** The payload is longer than declared. */
        LONGER_THAN_DECLARED("IncompleteBody"),
        /** The payload is shorter than declared. */
        SHORTER_THAN_DECLARED("IncompleteBody"),
        /** A trailer is no {@code name:value} in visible ASCII, or follows the trailers' signature. */
        MALFORMED_TRAILER("MalformedTrailerError"),
        /** A trailer was not announced. */
        UNANNOUNCED_TRAILER("MalformedTrailerError"),
        /** A trailer came twice. */
        DOUBLED_TRAILER("MalformedTrailerError"),
        /** A trailer that was announced did not come. */
        MISSING_TRAILER("MalformedTrailerError"),
        /** The trailers are longer than the bound. */
        TRAILERS_TOO_LONG("MalformedTrailerError"),
        /** The checksum is not base64 of its algorithm's length. */
        MALFORMED_CHECKSUM("InvalidRequest"),
        /** The checksum is not that of the payload that came. */
        CHECKSUM_MISMATCH("BadDigest"),
        /** A signature of a chunk or of the trailers is missing, or is not 64 hexadecimal digits. */
        MISSING_SIGNATURE("SignatureDoesNotMatch", 403),
        /** A chunk, or what came before it, is not what was signed. */
        CHUNK_SIGNATURE_MISMATCH("SignatureDoesNotMatch", 403),
        /** The trailers are not what was signed. */
        TRAILER_SIGNATURE_MISMATCH("SignatureDoesNotMatch", 403);

        private final String s3Code;
        private final int status;

        Reason(String s3Code) {
            this(s3Code, 400);
        }

        Reason(String s3Code, int status) {
            this.s3Code = s3Code;
            this.status = status;
        }

        /**
         * The code of the error that S3 answers.
         *
         * @return for example {@code IncompleteBody}
         */
        public String s3Code() {
            return s3Code;
        }

        /**
         * The HTTP status that S3 answers with it.
         *
         * @return 400 or 403
         */
        public int status() {
            return status;
        }
    }
}
