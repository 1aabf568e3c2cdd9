package io.github.reslice.benchmarks.uploads;

import static io.github.reslice.benchmarks.uploads.Contender.BARE_CHECKSUM;
import static io.github.reslice.benchmarks.uploads.Contender.CRT_CLIENT;
import static io.github.reslice.benchmarks.uploads.Contender.HTTPCLIENT_BYTEBUFS;
import static io.github.reslice.benchmarks.uploads.Contender.HTTPCLIENT_RAW;
import static io.github.reslice.benchmarks.uploads.Contender.SDK;
import static io.github.reslice.benchmarks.uploads.Contender.SDK_SCHEME;
import static io.github.reslice.benchmarks.uploads.Contender.WEBCLIENT_FILTER;
import static io.github.reslice.benchmarks.uploads.Contender.WEBCLIENT_FILTER_256;
import static io.github.reslice.benchmarks.uploads.Contender.WEBCLIENT_RAW;

/** The bars of the design, for one setting. */
final class Bars {

    private static final double BYTES_A_CHUNK = 1024;

    private final Report report;
    private final Setting setting;
    private final Measured measured;

    Bars(Report report, Setting setting, Measured measured) {
        this.report = report;
        this.setting = setting;
        this.measured = measured;
    }

    void check() {
        besideTheRawBody("WebClient with the filter", WEBCLIENT_FILTER, WEBCLIENT_RAW);
        besideTheRawBody("WebClient with the filter, joinUpTo(256)", WEBCLIENT_FILTER_256, WEBCLIENT_RAW);
        besideTheRawBody("HttpClient with ByteBufs", HTTPCLIENT_BYTEBUFS, HTTPCLIENT_RAW);
        if (measured.has(WEBCLIENT_RAW) && measured.has(SDK)) {
            report.note(
                    "WebClient, the raw body: CPU of the AWS SDK", measured.ratio(WEBCLIENT_RAW, SDK, Cost::cpuMillis));
            report.note(
                    "WebClient, the raw body: allocation of the AWS SDK",
                    measured.ratio(WEBCLIENT_RAW, SDK, Cost::bytes));
        }
        besideTheSdk("WebClient with the filter", WEBCLIENT_FILTER, 0.6, 1 / 20.0);
        besideTheSdk("the SDK with the scheme", SDK_SCHEME, 0.8, 1 / 10.0);
        if (measured.has(CRT_CLIENT) && measured.has(WEBCLIENT_FILTER)) {
            report.note(
                    "WebClient with the filter to the CRT client: CPU",
                    measured.ratio(WEBCLIENT_FILTER, CRT_CLIENT, Cost::cpuMillis));
        }
    }

    private void besideTheRawBody(String what, Contender encoding, Contender raw) {
        if (!measured.has(encoding) || !measured.has(raw)) {
            return;
        }
        double chunks = setting.mib() * (1024.0 * 1024 / setting.chunkSize());
        report.about(what + ": CPU of the raw body", 1.1, measured.ratio(encoding, raw, Cost::cpuMillis));
        if (measured.has(BARE_CHECKSUM)) {
            report.note(
                    "  the same, without the checksum's own time",
                    measured.ratioWithout(BARE_CHECKSUM, encoding, raw, Cost::cpuMillis));
        }
        long ownBytes = measured.ownBytes().get(encoding);
        if (ownBytes >= 0) {
            report.atMost(
                    what + ": bytes that the library itself allocates, a chunk", BYTES_A_CHUNK, ownBytes / chunks);
        }
        double bytesMore =
                measured.median(encoding).bytes() - measured.median(raw).bytes();
        String allocated = what + ": bytes allocated more than for the raw body, a chunk";
        if (!setting.over().encrypted()) {
            report.about(allocated, BYTES_A_CHUNK, bytesMore / chunks);
            return;
        }
        report.note(allocated + ", with TLS's own", bytesMore / chunks);
        Records records = measured.records(encoding);
        Records rawRecords = measured.records(raw);
        String more = what + ": most TLS records, more than the raw body's most";
        if (rawRecords.areTheSameInEachRound()) {
            double oneAChunk = chunks + 1; // the last one is empty
            report.about(more, oneAChunk, records.most() - rawRecords.most());
        } else { // its own rounds differ by more than that
            report.note(more, records.most() - rawRecords.most());
            report.note(
                    what + ": fewest TLS records, more than the raw body's fewest",
                    records.fewest() - rawRecords.fewest());
        }
    }

    private void besideTheSdk(String what, Contender own, double cpu, double allocation) {
        if (!measured.has(own) || !measured.has(SDK)) {
            return;
        }
        double cpuRatio = measured.ratio(own, SDK, Cost::cpuMillis);
        double allocationRatio = measured.ratio(own, SDK, Cost::bytes);
        if (setting.over().encrypted()) { // most of both is the engine's, the same for all
            report.note(what + ": CPU of the AWS SDK", cpuRatio);
            report.note(what + ": allocation of the AWS SDK", allocationRatio);
        } else {
            report.about(what + ": CPU of the AWS SDK", cpu, cpuRatio);
            report.atMost(what + ": allocation of the AWS SDK", allocation, allocationRatio);
        }
    }
}
