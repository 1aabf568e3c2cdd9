package io.github.reslice.benchmarks.uploads;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** How much is uploaded, unless the command line says otherwise. */
enum Form {
    /** CPU times of short uploads differ by tenths, and allocation by what has been compiled: it fails only far above a bar. */
    QUICK(
            256,
            3,
            2048,
            List.of(16 * 1024, 64 * 1024),
            List.of(Over.HTTP, Over.TLS),
            EnumSet.complementOf(EnumSet.of(Contender.CRT_CLIENT)),
            1.6),
    FULL(
            1024,
            7,
            2048,
            List.of(16 * 1024, 64 * 1024, 1024 * 1024),
            List.of(Over.values()),
            EnumSet.allOf(Contender.class),
            1);

    final int mib;
    final int rounds;
    final int warmUpMib;
    final List<Integer> bufferSizes;
    final List<Over> over;
    final List<Contender> contenders;
    final double slack;

    Form(
            int mib,
            int rounds,
            int warmUpMib,
            List<Integer> bufferSizes,
            List<Over> over,
            Set<Contender> contenders,
            double slack) {
        this.mib = mib;
        this.rounds = rounds;
        this.warmUpMib = warmUpMib;
        this.bufferSizes = bufferSizes;
        this.over = over;
        this.contenders = List.copyOf(contenders);
        this.slack = slack;
    }
}
