package io.github.reslice.samples.quickstart;

import io.github.reslice.AwsChunked;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.spring.S3Error;
import io.github.reslice.spring.S3ExchangeFilter;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.springframework.http.HttpHeaders;
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
            "Without an endpoint it starts an S3 server in its own process."
        })
final class Quickstart implements Callable<Integer> {

    private static final int MIB = 1024 * 1024;

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
