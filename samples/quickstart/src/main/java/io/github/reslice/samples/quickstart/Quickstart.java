package io.github.reslice.samples.quickstart;

import io.github.reslice.AwsChunked;
import io.github.reslice.Reslice;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.spring.S3Error;
import io.github.reslice.spring.S3ExchangeFilter;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Uploads a file or a generated stream, shows what went over the wire, reads it back, and compares. */
@Command(
        name = "quickstart",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Uploads a file or a generated stream to S3 as an aws-chunked body, reads it back, and compares.",
            "Without an endpoint it starts an S3 server in its own process. On a server of yours it creates the bucket if",
            "it is not there, overwrites the object, and leaves both."
        })
final class Quickstart implements Callable<Integer> {

    private static final int MIB = 1024 * 1024;
    private static final int MOST_MIB = 5 * 1024; // what S3 takes in one request
    private static final int BLOCK_SIZE = 64 * 1024;

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "what to upload; by default a generated stream")
    private Path file;

    @Option(names = "--size-mib", defaultValue = "64", description = "size of the generated stream (${DEFAULT-VALUE})")
    private long sizeMib;

    @Option(
            names = "--endpoint",
            defaultValue = "${env:AWS_ENDPOINT_URL_S3:-${env:AWS_ENDPOINT_URL}}",
            description = "a server's URL; by default $AWS_ENDPOINT_URL_S3 or $AWS_ENDPOINT_URL")
    private URI endpoint;

    @Option(names = "--access-key", defaultValue = "${env:AWS_ACCESS_KEY_ID}", description = "$AWS_ACCESS_KEY_ID")
    private String accessKey;

    @Option(
            names = "--secret-key",
            defaultValue = "${env:AWS_SECRET_ACCESS_KEY}",
            description = "$AWS_SECRET_ACCESS_KEY",
            showDefaultValue = CommandLine.Help.Visibility.NEVER)
    private String secretKey;

    @Option(
            names = "--region",
            defaultValue = "${env:AWS_REGION:-us-east-1}",
            description = "$AWS_REGION, or us-east-1")
    private String region;

    @Option(
            names = "--bucket",
            defaultValue = "quickstart",
            description = "created if it is not there (${DEFAULT-VALUE})")
    private String bucket;

    @Option(names = "--key", defaultValue = "object", description = "the object's key (${DEFAULT-VALUE})")
    private String key;

    @Option(names = "--checksum", defaultValue = "CRC32", description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})")
    private ChecksumAlgorithm checksum;

    @Option(names = "--chunk-size", defaultValue = "131072", description = "bytes in a chunk (${DEFAULT-VALUE})")
    private int chunkSize;

    private Quickstart() {}

    public static void main(String... args) {
        int exitCode = new CommandLine(new Quickstart())
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    command.getErr().println(explain(e));
                    return 1;
                })
                .execute(args);
        if (exitCode != 0) {
            System.exit(exitCode);
        }
    }

    @Override
    public Integer call() throws Exception {
        Payload payload = payload();
        if (endpoint != null) {
            return roundTrip(payload, endpoint, credentialsFromEnvironment());
        }
        try (LocalS3 local = new LocalS3()) {
            return roundTrip(payload, local.endpoint(), AwsCredentials.of(LocalS3.ACCESS_KEY, LocalS3.SECRET_KEY));
        }
    }

    private Payload payload() throws IOException {
        if (key.isEmpty() || bucket.isEmpty()) {
            throw new IllegalArgumentException("Bucket and key must not be empty");
        }
        if (file != null) {
            return Payload.ofFile(file);
        }
        if (sizeMib < 0 || sizeMib > MOST_MIB) {
            throw new IllegalArgumentException("--size-mib must be from 0 to " + MOST_MIB + ", was " + sizeMib);
        }
        return Payload.generated(sizeMib * MIB);
    }

    private AwsCredentials credentialsFromEnvironment() {
        if (accessKey == null || secretKey == null) {
            throw new IllegalArgumentException(
                    "An endpoint needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
        }
        String sessionToken = System.getenv("AWS_SESSION_TOKEN");
        return sessionToken == null
                ? AwsCredentials.of(accessKey, secretKey)
                : AwsCredentials.of(accessKey, secretKey, sessionToken);
    }

    private int roundTrip(Payload payload, URI server, AwsCredentials credentials) {
        AwsChunked chunked =
                AwsChunked.builder().checksum(checksum).chunkSize(chunkSize).build();
        WireTap wire = new WireTap();
        WebClient s3 = WebClient.builder()
                .baseUrl(server.toString())
                .filter(S3ExchangeFilter.builder()
                        .credentials(credentials)
                        .region(region)
                        .chunked(chunked)
                        .build())
                .filter(wire)
                .build();
        createBucket(s3);

        System.out.printf(
                "Uploading %s, %,d bytes, to %s/%s/%s%n", payload.name(), payload.length(), server, bucket, key);
        long start = System.nanoTime();
        s3.put()
                .uri("/{bucket}/{key}", bucket, key)
                .contentLength(payload.length())
                .body(Progress.show("upload", payload.length(), payload.bytes()), ByteBuffer.class)
                .retrieve()
                .toBodilessEntity()
                .block();
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        tellWhatWentOut(wire, payload, took);

        Flux<ByteBuffer> download =
                s3.get().uri("/{bucket}/{key}", bucket, key).retrieve().bodyToFlux(ByteBuffer.class);
        boolean same = isSame(payload.bytes(), Progress.show("read back", payload.length(), download));
        System.out.println(same ? "Read back: the same bytes." : "Read back: NOT THE SAME BYTES.");
        return same ? 0 : 1;
    }

    private void createBucket(WebClient s3) {
        HttpStatusCode status = s3.head()
                .uri("/{bucket}", bucket)
                .exchangeToMono(response -> response.releaseBody().thenReturn(response.statusCode()))
                .block();
        if (HttpStatus.NOT_FOUND.equals(status)) {
            s3.put().uri("/{bucket}", bucket).retrieve().toBodilessEntity().block();
        }
    }

    private static void tellWhatWentOut(WireTap wire, Payload payload, Duration took) {
        System.out.printf(
                "On the wire: %,d bytes, %,d of them framing%n", wire.length(), wire.length() - payload.length());
        Stream.of(
                        "Content-Length",
                        "Content-Encoding",
                        "x-amz-decoded-content-length",
                        "x-amz-content-sha256",
                        "x-amz-trailer")
                .filter(name -> wire.header(name) != null)
                .forEach(name -> System.out.printf("  %s: %s%n", name, wire.header(name)));
        System.out.printf("  first chunk's header:  %s%n", wire.firstChunkHeader());
        System.out.printf("  after the zero chunk:  %s%n", wire.trailer());
        double seconds = took.toMillis() / 1000.0;
        System.out.printf("Stored in %.2f s, %.0f MiB/s%n", seconds, payload.length() / seconds / MIB);
    }

    /** Compares two streams, however they are sliced. */
    private static boolean isSame(Flux<ByteBuffer> sent, Flux<ByteBuffer> received) {
        return Mono.sequenceEqual(
                        sent.transform(Reslice.toSize(BLOCK_SIZE)), received.transform(Reslice.toSize(BLOCK_SIZE)))
                .blockOptional()
                .orElseThrow();
    }

    private static String explain(Exception e) {
        if (e instanceof WebClientResponseException refusal) {
            S3Error error = S3Error.from(refusal);
            String hint = error.hint() == null ? "" : "%n%s".formatted(error.hint());
            return "The server refused: %d %s: %s%s".formatted(error.status(), error.code(), error.message(), hint);
        }
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return cause instanceof IllegalArgumentException ? cause.getMessage() : "Failed: " + cause;
    }
}
