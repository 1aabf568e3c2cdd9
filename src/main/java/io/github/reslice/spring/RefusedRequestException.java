package io.github.reslice.spring;

/** A verified request whose headers say of its body what cannot be. */
final class RefusedRequestException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What is answered. */
    private final transient Refusal refusal;

    RefusedRequestException(int status, String code, String message) {
        super(message);
        refusal = new Refusal(status, code, message);
    }

    Refusal refusal() {
        return refusal;
    }
}
