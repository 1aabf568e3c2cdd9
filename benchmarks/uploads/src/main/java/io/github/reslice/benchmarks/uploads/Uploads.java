package io.github.reslice.benchmarks.uploads;

import io.github.reslice.checksum.ChecksumAlgorithm;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
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

    @Option(names = "--size-mib", description = "size of an upload (256; full, over HTTP: 1024)")
    private Integer mib;

    @Option(names = "--rounds", description = "measured uploads by each client (quick: 3, else 7)")
    private Integer rounds;

    @Option(names = "--buffer-sizes", split = ",", description = "bytes in each buffer of the source")
    private List<Integer> bufferSizes;

    @Option(names = "--over", split = ",", description = "${COMPLETION-CANDIDATES}")
    private List<Over> over;

    @Option(names = "--contenders", split = ",", description = "${COMPLETION-CANDIDATES}")
    private List<Contender> contenders;

    @Option(names = "--memory", description = "where the source's buffers are (${DEFAULT-VALUE})")
    private Memory memory = Memory.HEAP;

    @Option(names = "--checksum", description = "CRC32 or CRC32C (${DEFAULT-VALUE})")
    private ChecksumAlgorithm checksum = ChecksumAlgorithm.CRC32;

    @Option(
            names = "--results",
            required = true,
            description = "the directory that the figures are written to, as JSON")
    private Path directory;

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
            URI plain = URI.create("http://127.0.0.1:" + ports[0]);
            URI encrypted = URI.create("https://127.0.0.1:" + ports[1]);
            run(form, plain, encrypted, certificate, report);
            if (form == Form.FULL && over == null && bufferSizes == null && contenders == null) {
                run(Form.CONNECTORS, plain, encrypted, certificate, report);
            }
        } finally {
            Files.delete(certificate);
            Files.delete(certificate.getParent());
        }
        return report.tellMissed() ? 1 : 0;
    }

    private void run(Form part, URI plain, URI encrypted, Path certificate, Report report) throws IOException {
        Results results = new Results(part, directory);
        for (Over each : Objects.requireNonNullElse(over, part.over)) {
            if (!each.available()) {
                System.out.printf("%n%s is left out: its library does not load here%n", each.title);
                continue;
            }
            for (int bufferSize : Objects.requireNonNullElse(bufferSizes, part.bufferSizes)) {
                Setting setting = new Setting(
                        each,
                        each.encrypted() ? encrypted : plain,
                        certificate,
                        Objects.requireNonNullElse(mib, part.mib(each)),
                        bufferSize,
                        memory,
                        checksum,
                        chunkSize);
                compare(part, setting, results, report);
            }
        }
    }

    private void compare(Form part, Setting setting, Results results, Report report) throws IOException {
        int measuredRounds = Objects.requireNonNullElse(rounds, part.rounds);
        List<Contender> running = Objects.requireNonNullElse(contenders, part.contenders(setting.over())).stream()
                .filter(contender -> contender.runs(setting.over()))
                .toList();
        try (Comparison comparison = new Comparison(setting, running)) {
            Measured measured = comparison.run(Math.max(2, part.warmUpMib / setting.mib()), measuredRounds);
            comparison.requireSameBody(Contender.RAW);
            comparison.requireSameBody(Contender.ENCODED);
            if (chunkSize == SDKS_CHUNK_SIZE) {
                comparison.requireSameBody(EnumSet.of(Contender.WEBCLIENT_FILTER, Contender.SDK));
            }
            comparison.requireSameBody(EnumSet.of(Contender.SDK, Contender.SDK_SCHEME));
            results.add(setting, measuredRounds, measured);
            results.write();
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
            if (part == Form.CONNECTORS) {
                new ConnectorNotes(report, measured).print();
            } else {
                new Bars(report, setting, measured).check();
            }
        }
    }
}
