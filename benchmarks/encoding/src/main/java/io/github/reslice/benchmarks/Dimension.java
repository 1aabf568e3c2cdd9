package io.github.reslice.benchmarks;

/** What the {@link Dimensions} vary. */
enum Dimension {
    BUFFERS,
    CHUNKS,
    DEMAND,
    LENGTHS,
    UPLOADS
}
