package io.github.reslice.benchmarks.charts;

/** What a chart shows has not been measured. */
final class MissingResultException extends RuntimeException {

    private static final long serialVersionUID = 1;

    MissingResultException(String message) {
        super(message);
    }
}
