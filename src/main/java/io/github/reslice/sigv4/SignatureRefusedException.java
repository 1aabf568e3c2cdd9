package io.github.reslice.sigv4;

import java.util.Objects;

/**
 * A request that came in is not signed as it must be.
 *
 * <pre>{@code
 * catch (SignatureRefusedException e) {
 *     respond(e.reason().status(), e.reason().s3Code(), e.getMessage());
 * }
 * }</pre>
 *
 * <p>The message may be shown to whoever sent the request: it has nothing of a secret key, a token or the signature that
 * was expected.
 */
public final class SignatureRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why, and what S3 answers. */
    private final Reason reason;

    /**
     * A refusal.
     *
     * @param reason why
     * @param message what is wrong, for whoever sent the request
     */
    public SignatureRefusedException(Reason reason, String message) {
        super(message);
        this.reason = Objects.requireNonNull(reason, "reason");
    }

    /**
     * The refusal of a request whose access key nobody has: for the one who looks up the credentials.
     *
     * @return a refusal with {@link Reason#UNKNOWN_ACCESS_KEY}
     */
    public static SignatureRefusedException unknownAccessKey() {
        return new SignatureRefusedException(Reason.UNKNOWN_ACCESS_KEY, "The access key does not exist here");
    }

    /**
     * Why.
     *
     * @return the reason
     */
    public Reason reason() {
        return reason;
    }

    /** Why a request is refused, with what S3 answers then. */
    public enum Reason {
        /** Neither header nor query has a signature. */
        NO_CREDENTIALS("AccessDenied", 403),
        /** Header and query have one, or the header comes more than once. */
        SEVERAL_CREDENTIALS("InvalidArgument", 400),
        /** The Authorization header has something else than a signature of Amazon's: a bearer token, a password. */
        UNKNOWN_AUTHORIZATION("InvalidArgument", 400),
        /** A signature of version 2, or an asymmetric one (SigV4a). */
        UNSUPPORTED_SIGNATURE("InvalidRequest", 400),
        /** The Authorization header cannot be read, or is for another day, region or service. */
        MALFORMED_HEADER("AuthorizationHeaderMalformed", 400),
        /** The same of a presigned URL's query. */
        MALFORMED_QUERY("AuthorizationQueryParametersError", 400),
        /** The path or the query is not percent-encoded text; a bare plus in the query could be a space or a plus. */
        MALFORMED_URI("InvalidURI", 400),
        /** A header has a control character, or there is not one Host. */
        MALFORMED_REQUEST("InvalidRequest", 400),
        /** Host, or one of the {@code x-amz-*} headers, is not among the signed ones. */
        HEADER_NOT_SIGNED("AccessDenied", 403),
        /** {@code x-amz-date} is missing or no date. */
        NO_DATE("AccessDenied", 403),
        /** The date is too far from the clock's. */
        CLOCK_SKEW("RequestTimeTooSkewed", 403),
        /** A presigned URL's time has not come yet. */
        NOT_YET_VALID("AccessDenied", 403),
        /** A presigned URL's time is over. */
        EXPIRED("AccessDenied", 403),
        /** {@code x-amz-content-sha256} is missing. */
        NO_PAYLOAD_HASH("InvalidRequest", 400),
        /** {@code x-amz-content-sha256} is neither a hash nor a mode. */
        UNKNOWN_PAYLOAD_HASH("InvalidArgument", 400),
        /** {@code x-amz-content-sha256} is the mode of a SigV4a body. */
        UNSUPPORTED_MODE("NotImplemented", 501),
        /** A presigned URL with a streaming mode: its body is a plain one. */
        PRESIGNED_STREAM("InvalidRequest", 400),
        /** Nobody has the access key. */
        UNKNOWN_ACCESS_KEY("InvalidAccessKeyId", 403),
        /** The signature is not the one over this request with this secret key. */
        WRONG_SIGNATURE("SignatureDoesNotMatch", 403),
        /** The session token is missing, is not that of the credentials, or belongs to credentials without one. */
        WRONG_TOKEN("InvalidToken", 400);

        private final String s3Code;
        private final int status;

        Reason(String s3Code, int status) {
            this.s3Code = s3Code;
            this.status = status;
        }

        /**
         * The code in S3's error document.
         *
         * @return for example {@code SignatureDoesNotMatch}
         */
        public String s3Code() {
            return s3Code;
        }

        /**
         * The HTTP status that goes with it.
         *
         * @return for example 403
         */
        public int status() {
            return status;
        }
    }
}
