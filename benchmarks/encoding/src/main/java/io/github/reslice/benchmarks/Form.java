package io.github.reslice.benchmarks;

import org.openjdk.jmh.runner.options.TimeValue;

/** How long to measure, and the part of a speed's bar below which the run fails. */
enum Form {
    QUICK(1, 2, 5, TimeValue.milliseconds(300), 0.7),
    /** Ends with the {@link #DIMENSIONS}. */
    FULL(3, 3, 5, TimeValue.seconds(1), 1),
    /** The dimensions alone, without bars: a single JVM for each of their many rows. */
    DIMENSIONS(1, 2, 5, TimeValue.milliseconds(400), 1),
    /** The checksums alone, without bars. */
    CHECKSUMS(1, 2, 5, TimeValue.milliseconds(300), 1);

    final int jvms;
    final int warmups;
    final int iterations;
    final TimeValue iteration;
    final double slack;

    Form(int jvms, int warmups, int iterations, TimeValue iteration, double slack) {
        this.jvms = jvms;
        this.warmups = warmups;
        this.iterations = iterations;
        this.iteration = iteration;
        this.slack = slack;
    }
}
