package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.awschunked.ReferenceDecoder;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.servers.Answer;
import io.github.reslice.servers.Connector;
import io.github.reslice.servers.RecordedRequest;
import io.github.reslice.servers.RecordingServer;
import io.github.reslice.sigv4.AwsCredentials;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClient.RequestBodySpec;
import org.springframework.web.reactive.function.client.WebClient.RequestHeadersSpec;
import reactor.core.publisher.Flux;

/** Requests through the filter to a server that records them. */
abstract class RecordedExchanges {

    static final String SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    static final AwsCredentials CREDENTIALS = AwsCredentials.of("AKIAIOSFODNN7EXAMPLE", SECRET);
    static final String HASH_OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    final byte[] payload = new byte[300_000];
    RecordingServer server;

    @BeforeEach
    void start() throws IOException {
        new Random(1).nextBytes(payload);
        server = RecordingServer.answering(Answer.status(200));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    static S3ExchangeFilter.Builder filter() {
        return S3ExchangeFilter.builder().credentials(CREDENTIALS).region("us-east-1");
    }

    final WebClient client(Connector connector, S3ExchangeFilter.Builder filter) {
        return connector.client(server.endpoint(), filter.build());
    }

    final RecordedRequest put(
            Connector connector,
            S3ExchangeFilter.Builder filter,
            Function<RequestBodySpec, RequestHeadersSpec<?>> body) {
        return sent(body.apply(client(connector, filter).put().uri("/bucket/key")));
    }

    final RecordedRequest sent(RequestHeadersSpec<?> request) {
        request.retrieve().toBodilessEntity().block();
        RecordedRequest recorded = server.requests().get(server.requests().size() - 1);
        WireSignature signature = new WireSignature(recorded);
        assertThat(signature.sent()).isEqualTo(signature.expected(SECRET));
        assertThat(signature.signedHeaders()).contains("host", "x-amz-date", "x-amz-content-sha256");
        return recorded;
    }

    static void assertEncoded(RecordedRequest request, byte[] payload) {
        assertThat(request.header("x-amz-content-sha256")).isEqualTo("STREAMING-UNSIGNED-PAYLOAD-TRAILER");
        assertThat(request.header("content-encoding")).isEqualTo("aws-chunked");
        assertThat(request.header("x-amz-decoded-content-length")).isEqualTo(Integer.toString(payload.length));
        assertThat(request.header("content-length")).isEqualTo(Integer.toString(request.body().length));
        assertThat(request.header("x-amz-trailer")).isEqualTo("x-amz-checksum-crc32");
        assertThat(request.header("x-amz-sdk-checksum-algorithm")).isEqualTo("CRC32");
        assertThat(request.header("transfer-encoding")).isNull();
        assertThat(new WireSignature(request).signedHeaders())
                .contains("content-encoding", "content-length", "x-amz-decoded-content-length", "x-amz-trailer");
        ReferenceDecoder.Body body = ReferenceDecoder.decode(request.body());
        assertThat(body.payload()).isEqualTo(payload);
        assertThat(body.trailers()).isEqualTo(Map.of("x-amz-checksum-crc32", crc32(payload)));
    }

    static void assertPlain(RecordedRequest request, byte[] payload) {
        assertThat(request.header("x-amz-content-sha256")).isEqualTo("UNSIGNED-PAYLOAD");
        assertThat(request.header("content-encoding")).isNull();
        assertThat(request.header("x-amz-trailer")).isNull();
        assertThat(request.header("content-length")).isEqualTo(Integer.toString(payload.length));
        assertThat(request.body()).isEqualTo(payload);
    }

    private static String crc32(byte[] bytes) {
        RunningChecksum checksum = ChecksumAlgorithm.CRC32.start();
        checksum.update(bytes, 0, bytes.length);
        return checksum.base64();
    }

    final Flux<ByteBuffer> byteBuffers() {
        return Flux.range(0, 30)
                .map(i -> ByteBuffer.wrap(payload, i * 10_000, 10_000).slice());
    }
}
