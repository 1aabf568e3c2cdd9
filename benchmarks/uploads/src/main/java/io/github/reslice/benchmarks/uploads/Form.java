package io.github.reslice.benchmarks.uploads;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** How much is uploaded, unless the command line says otherwise. */
enum Form {
    /** CPU times of short uploads differ by tenths, and allocation by what has been compiled: it fails only far above a bar. */
    QUICK(
            256,
            256,
            3,
            2048,
            List.of(64 * 1024),
            List.of(Over.HTTP, Over.TLS),
            EnumSet.range(Contender.BARE_CHECKSUM, Contender.SDK_SCHEME),
            1.6,
            "uploads.json") {
        /** Over TLS, those that have bars. */
        @Override
        List<Contender> contenders(Over over) {
            return over.encrypted()
                    ? List.copyOf(EnumSet.range(Contender.WEBCLIENT_RAW, Contender.HTTPCLIENT_BYTEBUFS))
                    : super.contenders(over);
        }
    },
    /** Ends with the {@link #CONNECTORS}, unless it is narrowed. */
    FULL(
            1024,
            256,
            7,
            2048,
            List.of(16 * 1024, 64 * 1024, 1024 * 1024),
            List.of(Over.values()),
            EnumSet.range(Contender.BARE_CHECKSUM, Contender.CRT_CLIENT),
            1,
            "uploads.json"),
    /** Spring's connectors, without bars, for buffers that are small and of which each is a write to most of them. */
    CONNECTORS(
            256,
            256,
            7,
            1024,
            List.of(1024, 16 * 1024),
            List.of(Over.HTTP),
            EnumSet.of(
                    Contender.WEBCLIENT_RAW,
                    Contender.WEBCLIENT_FILTER,
                    Contender.WEBCLIENT_JOINED,
                    Contender.JDK_RAW,
                    Contender.JDK_FILTER,
                    Contender.JDK_JOINED,
                    Contender.JETTY_RAW,
                    Contender.JETTY_FILTER,
                    Contender.JETTY_JOINED,
                    Contender.APACHE_RAW,
                    Contender.APACHE_FILTER,
                    Contender.APACHE_JOINED),
            1,
            "connectors.json");

    private final int mib;
    private final int encryptedMib;
    final int rounds;
    final int warmUpMib;
    final List<Integer> bufferSizes;
    final List<Over> over;
    private final List<Contender> contenders;
    final double slack;
    final String file;

    Form(
            int mib,
            int encryptedMib,
            int rounds,
            int warmUpMib,
            List<Integer> bufferSizes,
            List<Over> over,
            Set<Contender> contenders,
            double slack,
            String file) {
        this.mib = mib;
        this.encryptedMib = encryptedMib;
        this.rounds = rounds;
        this.warmUpMib = warmUpMib;
        this.bufferSizes = bufferSizes;
        this.over = over;
        this.contenders = List.copyOf(contenders);
        this.slack = slack;
        this.file = file;
    }

    List<Contender> contenders(Over over) {
        return contenders;
    }

    int mib(Over over) {
        return over.encrypted() ? encryptedMib : mib;
    }
}
