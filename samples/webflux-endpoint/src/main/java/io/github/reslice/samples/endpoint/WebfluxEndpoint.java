package io.github.reslice.samples.endpoint;

import io.github.reslice.AwsChunked;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.spring.S3Error;
import io.github.reslice.spring.S3ExchangeFilter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.publisher.Flux;

/**
 * Starts a WebFlux endpoint that takes S3 uploads, uploads to it, and tries what it must refuse. With an argument, a port,
 * it only starts it, for a client of yours:
 *
 * <pre>{@code
 * mvn -q -f samples/pom.xml compile -Pendpoint -pl :webflux-endpoint -am -Dexec.args=9000
 * AWS_ACCESS_KEY_ID=someone AWS_SECRET_ACCESS_KEY=only-for-this-sample AWS_REGION=us-east-1 \
 *     aws --endpoint-url http://127.0.0.1:9000 s3api put-object --bucket b --key k --body file
 * }</pre>
 */
final class WebfluxEndpoint {

    private static final String REGION = "us-east-1";
    private static final AwsCredentials SOMEONE = AwsCredentials.of("someone", "only-for-this-sample");

    private final byte[] payload = new byte[8 * 1024 * 1024];
    private final Endpoint endpoint;
    private boolean asExpected = true;

    private WebfluxEndpoint(Endpoint endpoint) {
        this.endpoint = endpoint;
        new Random(1).nextBytes(payload);
    }

    public static void main(String... args) throws IOException, InterruptedException {
        int port = args.length == 0 ? 0 : Integer.parseInt(args[0]);
        boolean asExpected;
        try (Endpoint endpoint = new Endpoint(Map.of(SOMEONE.accessKey(), SOMEONE), REGION, port)) {
            System.out.println("Taking uploads at " + endpoint.uri());
            if (args.length > 0) {
                Thread.currentThread().join();
            }
            asExpected = new WebfluxEndpoint(endpoint).tryAll();
        }
        System.out.println(asExpected ? "All as expected." : "NOT ALL AS EXPECTED.");
        if (!asExpected) {
            System.exit(1);
        }
    }

    private boolean tryAll() {
        AwsChunked chunked =
                AwsChunked.builder().checksum(ChecksumAlgorithm.CRC32C).build();
        S3ExchangeFilter.Builder unsigned = filter(SOMEONE).chunked(chunked);
        S3ExchangeFilter.Builder signed = filter(SOMEONE).chunked(chunked.signed());

        upload("unsigned, with a checksum", unsigned, client -> client, "stored");
        upload("every chunk signed", signed, client -> client, "stored");
        upload("plain, without a checksum", filter(SOMEONE).plainBodies(), client -> client, "stored");
        upload("not signed at all", null, client -> client, "AccessDenied");
        upload(
                "an unknown access key",
                filter(AwsCredentials.of("nobody", "secret")),
                client -> client,
                "InvalidAccessKeyId");
        upload(
                "a wrong secret key",
                filter(AwsCredentials.of("someone", "guessed")),
                client -> client,
                "SignatureDoesNotMatch");
        UnaryOperator<WebClient.Builder> flippedByte = client -> client.filter(new FlippedByte(5_000_000));
        upload("unsigned, one byte changed on the way", unsigned, flippedByte, "BadDigest");
        upload("signed, one byte changed on the way", signed, flippedByte, "SignatureDoesNotMatch");
        return asExpected;
    }

    private static S3ExchangeFilter.Builder filter(AwsCredentials credentials) {
        return S3ExchangeFilter.builder().credentials(credentials).region(REGION);
    }

    private void upload(
            String what, S3ExchangeFilter.Builder filter, UnaryOperator<WebClient.Builder> network, String expected) {
        int filesBefore = endpoint.files();
        WebClient.Builder client = WebClient.builder()
                .baseUrl(endpoint.uri().toString())
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(2 * payload.length));
        WebClient s3 = network.apply(filter == null ? client : client.filter(filter.build()))
                .build();
        String key = "/bucket/" + what.replace(' ', '-');
        String outcome;
        try {
            s3.put()
                    .uri(key)
                    .contentLength(payload.length)
                    .body(Flux.just(ByteBuffer.wrap(payload)), ByteBuffer.class)
                    .retrieve()
                    .toBodilessEntity()
                    .block();
            outcome = isThere(key) ? "stored" : "stored as something else";
        } catch (WebClientResponseException e) {
            outcome = S3Error.from(e).code();
            if (endpoint.files() != filesBefore) {
                outcome += ", but it left a file";
            }
        }
        boolean right = expected.equals(outcome);
        asExpected &= right;
        System.out.printf("  %-40s %s%s%n", what + ":", outcome, right ? "" : "  <-- expected: " + expected);
    }

    private boolean isThere(String key) {
        byte[] stored = WebClient.builder()
                .baseUrl(endpoint.uri().toString())
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(2 * payload.length))
                .filter(filter(SOMEONE).build())
                .build()
                .get()
                .uri(key)
                .retrieve()
                .bodyToMono(byte[].class)
                .block();
        return Arrays.equals(payload, stored);
    }
}
