package io.github.reslice.awssdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.awschunked.ReferenceDecoder;
import io.github.reslice.servers.Answer;
import io.github.reslice.servers.RecordedRequest;
import io.github.reslice.servers.RecordingServer;
import io.github.reslice.servers.TestCertificate;
import io.netty.handler.ssl.SslProvider;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** An upload with the scheme through a TLS connection. */
class SchemeTlsTest {

    private static final int BUFFERS = 41;
    private static final int BUFFER_SIZE = 9_999;

    private final byte[] payload = new byte[BUFFERS * BUFFER_SIZE];

    SchemeTlsTest() {
        new Random(7).nextBytes(payload);
    }

    @Test
    void uploadsTheBodyWithItsTrailerOverTls(@TempDir Path directory) throws Exception {
        TestCertificate certificate = TestCertificate.make(directory);
        TrustManager[] trust = certificate.trust().getTrustManagers();
        try (RecordingServer server = RecordingServer.overTls(certificate, Answer.status(200));
                SdkAsyncHttpClient http = NettyNioAsyncHttpClient.builder()
                        .sslProvider(SslProvider.JDK)
                        .tlsTrustManagersProvider(() -> trust)
                        .build();
                S3AsyncClient s3 = Clients.withScheme(server.endpoint(), client -> client.httpClient(http))) {
            s3.putObject(
                            put -> put.bucket("bucket").key("key").contentLength((long) payload.length),
                            AsyncRequestBody.fromPublisher(buffers()))
                    .orTimeout(20, TimeUnit.SECONDS)
                    .join();

            assertThat(server.requests()).singleElement().satisfies(this::assertWhole);
        }
    }

    private Flux<ByteBuffer> buffers() {
        return Flux.range(0, BUFFERS)
                .map(i -> ByteBuffer.wrap(payload, i * BUFFER_SIZE, BUFFER_SIZE).slice());
    }

    private void assertWhole(RecordedRequest request) {
        assertThat(request.header("x-amz-content-sha256")).isEqualTo("STREAMING-UNSIGNED-PAYLOAD-TRAILER");
        ReferenceDecoder.Body body = ReferenceDecoder.decode(request.body());
        assertThat(body.payload()).isEqualTo(payload);
        assertThat(body.trailers()).containsExactlyEntriesOf(Map.of("x-amz-checksum-crc32", checksum()));
    }

    private String checksum() {
        CRC32 crc = new CRC32();
        crc.update(payload);
        return Base64.getEncoder()
                .encodeToString(
                        ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
    }
}
