package io.github.reslice.stage;

/** What stages and sources fail with. */
final class Boom extends RuntimeException {
    private static final long serialVersionUID = 1L;
}
