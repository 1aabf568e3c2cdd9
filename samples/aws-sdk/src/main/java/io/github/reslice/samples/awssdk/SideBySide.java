package io.github.reslice.samples.awssdk;

import io.github.reslice.awssdk.ResliceAuthScheme;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;

/** The same upload by two clients: one as it comes, one with Reslice's scheme. */
@Command(
        name = "aws-sdk",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Uploads the same stream by S3AsyncClient, as it comes and with ResliceAuthScheme, in turn, and prints what each",
            "upload cost this process. The store is a process of its own that throws the bodies away."
        })
final class SideBySide implements Callable<Integer> {

    private static final int MIB = 1024 * 1024;
    private static final int WARM_UPS = 3;
    private static final int SOURCE_SIZE = 64 * MIB; // more than any cache holds, as a body is

    @Option(names = "--size-mib", defaultValue = "256", description = "size of an upload (${DEFAULT-VALUE})")
    private int sizeMib;

    @Option(
            names = "--buffer-sizes",
            split = ",",
            defaultValue = "16384,65536,1048576",
            description = "bytes in each buffer of the source, up to 64 MiB (${DEFAULT-VALUE})")
    private List<Integer> bufferSizes;

    @Option(names = "--rounds", defaultValue = "9", description = "measured uploads by each client (${DEFAULT-VALUE})")
    private int rounds;

    private final ByteBuffer source = source();

    private SideBySide() {}

    public static void main(String... args) {
        System.exit(new CommandLine(new SideBySide()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        try (Store store = Store.start();
                S3AsyncClient plain = client(store.endpoint()).build();
                S3AsyncClient reslice = client(store.endpoint())
                        .putAuthScheme(ResliceAuthScheme.create()) // the one line
                        .build()) {
            for (int i = 0; i < WARM_UPS; i++) { // the JVM compiles
                for (int bufferSize : bufferSizes) {
                    upload(plain, bufferSize);
                    upload(reslice, bufferSize);
                }
            }
            boolean same = true;
            for (int bufferSize : bufferSizes) {
                same &= compare(plain, reslice, bufferSize);
            }
            System.out.println();
            System.out.println(
                    same
                            ? "The store received the same bytes from both."
                            : "The store did NOT receive the same bytes from both.");
            return same ? 0 : 1;
        }
    }

    private static S3AsyncClientBuilder client(URI endpoint) {
        return S3AsyncClient.builder()
                .endpointOverride(endpoint)
                .forcePathStyle(true)
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("access", "secret")));
    }

    private boolean compare(S3AsyncClient plain, S3AsyncClient reslice, int bufferSize) {
        System.out.printf("%n%d MiB in buffers of %d KiB, median of %d%n", sizeMib, bufferSize / 1024, rounds);
        List<Cost> without = new ArrayList<>();
        List<Cost> with = new ArrayList<>();
        boolean same = true;
        for (int round = 0; round < rounds; round++) {
            String received;
            if (round % 2 == 0) {
                received = upload(plain, bufferSize, without);
                same &= received.equals(upload(reslice, bufferSize, with));
            } else {
                received = upload(reslice, bufferSize, with);
                same &= received.equals(upload(plain, bufferSize, without));
            }
        }
        Cost sdk = Cost.median(without);
        Cost own = Cost.median(with);
        System.out.printf("  %-24s%14s%12s%12s%n", "", "allocated", "CPU", "elapsed");
        System.out.printf("  %-24s%s%n", "S3AsyncClient", sdk);
        System.out.printf("  %-24s%s%n", "with ResliceAuthScheme", own);
        System.out.printf("  %-24s%s%n", "ratio", own.dividedBy(sdk));
        return same;
    }

    private String upload(S3AsyncClient client, int bufferSize, List<Cost> costs) {
        System.gc(); // no upload pays for the garbage of the one before
        Cost before = Cost.untilNow();
        String received = upload(client, bufferSize);
        costs.add(Cost.untilNow().since(before));
        return received;
    }

    /** Gives what the store says of the body that it received. */
    private String upload(S3AsyncClient client, int bufferSize) {
        int count = Math.toIntExact((long) sizeMib * MIB / bufferSize);
        long length = (long) count * bufferSize;
        int distinct = SOURCE_SIZE / bufferSize;
        Flux<ByteBuffer> body = Flux.range(0, count).map(i -> source.slice(i % distinct * bufferSize, bufferSize));
        return client.putObject(
                        request -> request.bucket("bucket").key("key").contentLength(length),
                        AsyncRequestBody.fromPublisher(body))
                .join()
                .eTag();
    }

    private static ByteBuffer source() {
        byte[] bytes = new byte[SOURCE_SIZE];
        new Random(1).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }
}
