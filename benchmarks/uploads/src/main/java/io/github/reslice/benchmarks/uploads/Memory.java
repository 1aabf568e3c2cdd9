package io.github.reslice.benchmarks.uploads;

/** Where the body's buffers are. */
enum Memory {
    HEAP,
    DIRECT
}
