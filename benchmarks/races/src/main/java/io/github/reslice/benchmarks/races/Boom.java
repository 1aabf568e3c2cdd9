package io.github.reslice.benchmarks.races;

/** What a source fails with. */
final class Boom extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Boom() {
        super("boom", null, false, false);
    }
}
