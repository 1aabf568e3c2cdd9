package io.github.reslice.benchmarks.races;

/** What goes through: two units as a source gives them, or one as a piece. Units are numbered from zero on. */
record Buffer(int first, int count) {

    static final int UNITS = 2;

    /** A source's n-th buffer. */
    static Buffer nth(int n) {
        return new Buffer(n * UNITS, UNITS);
    }
}
