package io.github.reslice.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.reslice.AwsChunked;
import io.github.reslice.servers.RawHttp.Response;
import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.spring.S3Error;
import io.github.reslice.spring.S3ExchangeFilter;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClient.RequestBodySpec;
import org.springframework.web.reactive.function.client.WebClient.RequestHeadersSpec;
import org.springframework.web.reactive.function.client.WebClientResponseException;

/** What the suites of the filter share: a bucket for each test, clients, and a look at what is stored. */
abstract class FilterSuite {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    final String bucket = "filter-" + UUID.randomUUID();
    final String path = "/" + bucket + "/object";
    private S3Server server;

    @BeforeEach
    void makeABucket(S3Server given) throws IOException {
        server = given;
        assertThat(RawS3.put(server, "/" + bucket, new byte[0]).status()).isEqualTo(200);
    }

    final S3Server server() {
        return server;
    }

    static byte[] randomBytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    /** A client with the filter as it comes. */
    final WebClient client(Connector connector) {
        return client(connector, server, settings(server));
    }

    /** A client that encodes like this. */
    final WebClient client(Connector connector, AwsChunked chunked) {
        return client(connector, server, settings(server).chunked(chunked));
    }

    static WebClient client(Connector connector, S3Server server, S3ExchangeFilter.Builder settings) {
        return connector.client(server.endpoint(), settings.build());
    }

    static S3ExchangeFilter.Builder settings(S3Server server) {
        return S3ExchangeFilter.builder()
                .credentials(AwsCredentials.of(server.accessKey(), server.secretKey()))
                .region(server.region());
    }

    /** A PUT of the object, still without a body. */
    final RequestBodySpec put(WebClient client) {
        return client.put().uri(path);
    }

    static ResponseEntity<Void> send(RequestHeadersSpec<?> request) {
        return request.retrieve().toBodilessEntity().block(PATIENCE);
    }

    /** What the server says when it refuses the request, with a 4xx status. */
    static S3Error refusal(RequestHeadersSpec<?> request) {
        Throwable thrown = catchThrowable(() -> send(request));
        assertThat(thrown).isInstanceOf(WebClientResponseException.class);
        S3Error error = S3Error.from((WebClientResponseException) thrown);
        assertThat(error.status()).as(error.toString()).isBetween(400, 499);
        return error;
    }

    /** The object, read by the filter. */
    final ResponseEntity<byte[]> read(Connector connector) {
        return client(connector)
                .get()
                .uri(path)
                .retrieve()
                .toEntity(byte[].class)
                .block(PATIENCE);
    }

    /** That the object is there, read without the filter. */
    final void assertStored(byte[] payload) throws IOException {
        Response response = RawS3.get(server, path);
        assertThat(response.status()).as(response.toString()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(payload);
        assertThat(response.headers()).doesNotContainKey("content-encoding");
    }

    /** That there is no object under the key. */
    final void assertNothingStored() throws IOException {
        assertThat(RawS3.get(server, path).status()).isEqualTo(404);
    }
}
