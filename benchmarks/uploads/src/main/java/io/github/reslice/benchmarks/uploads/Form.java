package io.github.reslice.benchmarks.uploads;

import java.util.List;

/** How much is uploaded, unless the command line says otherwise. */
enum Form {
    QUICK(64, 3, 512, List.of(16 * 1024, 64 * 1024), List.of(Over.HTTP, Over.TLS)),
    FULL(1024, 7, 2048, List.of(16 * 1024, 64 * 1024, 1024 * 1024), List.of(Over.values()));

    final int mib;
    final int rounds;
    final int warmUpMib;
    final List<Integer> bufferSizes;
    final List<Over> over;

    Form(int mib, int rounds, int warmUpMib, List<Integer> bufferSizes, List<Over> over) {
        this.mib = mib;
        this.rounds = rounds;
        this.warmUpMib = warmUpMib;
        this.bufferSizes = bufferSizes;
        this.over = over;
    }
}
