package io.github.reslice.benchmarks.uploads;

import static io.github.reslice.benchmarks.uploads.Contender.HTTPCLIENT_BYTEBUFS;
import static io.github.reslice.benchmarks.uploads.Contender.HTTPCLIENT_RAW;
import static io.github.reslice.benchmarks.uploads.Contender.SDK;
import static io.github.reslice.benchmarks.uploads.Contender.SDK_SCHEME;
import static io.github.reslice.benchmarks.uploads.Contender.WEBCLIENT_FILTER;
import static io.github.reslice.benchmarks.uploads.Contender.WEBCLIENT_RAW;

import io.github.reslice.checksum.ChecksumAlgorithm;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Uploads by all contenders, and compares what that takes with the bars; ends with 1 if one is missed. */
@Command(
        name = "uploads",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Uploads over loopback by several clients in turn, and prints what each upload cost its process.")
final class Uploads implements Callable<Integer> {

    private static final int SDKS_CHUNK_SIZE = 128 * 1024;

    @Parameters(description = "${COMPLETION-CANDIDATES}")
    private Form form;

    @Option(names = "--size-mib", description = "size of an upload (quick: 256, full: 1024)")
    private Integer mib;

    @Option(names = "--rounds", description = "measured uploads by each client (quick: 3, full: 7)")
    private Integer rounds;

    @Option(names = "--buffer-sizes", split = ",", description = "bytes in each buffer of the source")
    private List<Integer> bufferSizes;

    @Option(names = "--over", split = ",", description = "${COMPLETION-CANDIDATES}")
    private List<Over> over;

    @Option(names = "--contenders", split = ",", description = "${COMPLETION-CANDIDATES} (quick: without CRT_CLIENT)")
    private List<Contender> contenders;

    @Option(names = "--memory", description = "where the source's buffers are (${DEFAULT-VALUE})")
    private Memory memory = Memory.HEAP;

    @Option(names = "--checksum", description = "CRC32 or CRC32C (${DEFAULT-VALUE})")
    private ChecksumAlgorithm checksum = ChecksumAlgorithm.CRC32;

    @Option(names = "--results", required = true, description = "the file that the medians are written to, as JSON")
    private Path file;

    private final Results results = new Results();

    @Option(
            names = "--chunk-size",
            description = "bytes in the chunks of filter and ByteBufs (${DEFAULT-VALUE}, as the SDK's)")
    private int chunkSize = SDKS_CHUNK_SIZE;

    private Uploads() {}

    public static void main(String... args) {
        System.exit(new CommandLine(new Uploads())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Path certificate = Tls.makeCertificate(Files.createTempDirectory("uploads"));
        Report report = new Report(form.slack);
        try (Child server = Child.start(DiscardingServer.class, certificate.toString())) {
            String[] ports = server.answer().split(" ");
            for (Over each : Objects.requireNonNullElse(over, form.over)) {
                if (!each.available()) {
                    System.out.printf("%n%s is left out: its library does not load here%n", each.title);
                    continue;
                }
                URI endpoint =
                        URI.create(each.encrypted() ? "https://127.0.0.1:" + ports[1] : "http://127.0.0.1:" + ports[0]);
                for (int bufferSize : Objects.requireNonNullElse(bufferSizes, form.bufferSizes)) {
                    compare(
                            report,
                            new Setting(each, endpoint, certificate, mib(), bufferSize, memory, checksum, chunkSize));
                }
            }
        } finally {
            Files.delete(certificate);
            Files.delete(certificate.getParent());
        }
        return report.failed() ? 1 : 0;
    }

    private int mib() {
        return Objects.requireNonNullElse(mib, form.mib);
    }

    private void compare(Report report, Setting setting) throws IOException {
        int measuredRounds = Objects.requireNonNullElse(rounds, form.rounds);
        List<Contender> running = Objects.requireNonNullElse(contenders, form.contenders).stream()
                .filter(contender -> contender.runs(setting.over()))
                .toList();
        try (Comparison comparison = new Comparison(setting, running)) {
            Measured measured = comparison.run(Math.max(2, form.warmUpMib / setting.mib()), measuredRounds);
            comparison.requireSameBody(WEBCLIENT_RAW, HTTPCLIENT_RAW);
            comparison.requireSameBody(WEBCLIENT_FILTER, HTTPCLIENT_BYTEBUFS);
            if (chunkSize == SDKS_CHUNK_SIZE) {
                comparison.requireSameBody(WEBCLIENT_FILTER, SDK);
            }
            comparison.requireSameBody(SDK, SDK_SCHEME);
            results.add(setting, measuredRounds, measured);
            results.writeTo(file, form);
            report.costs(
                    "%s: %d MiB in %s buffers of %d KiB, %s, %d rounds"
                            .formatted(
                                    setting.over().title,
                                    setting.mib(),
                                    setting.memory().name().toLowerCase(Locale.ROOT),
                                    setting.bufferSize() / 1024,
                                    setting.checksum(),
                                    measuredRounds),
                    measured);
            new Bars(report, setting, measured).check();
        }
    }
}
