package io.github.reslice.blocking;

import io.github.reslice.AwsChunked;
import io.github.reslice.awssdk.ResliceAuthScheme;
import io.github.reslice.servers.Answer;
import io.github.reslice.servers.RecordingServer;
import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.spring.S3ExchangeFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.netty.http.client.HttpClient;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** Clients of a server that takes everything. They stay open: the SDK's blocks one of Netty's threads when it is closed. */
final class Clients {

    private static final URI SERVER = server();

    static final S3AsyncClient SDK = S3AsyncClient.builder()
            .endpointOverride(SERVER)
            .region(Region.US_EAST_1)
            .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("access", "secret")))
            .forcePathStyle(true)
            .putAuthScheme(ResliceAuthScheme.create())
            .build();

    private static final ReactorClientHttpConnector CONNECTOR = new ReactorClientHttpConnector(warm());

    private Clients() {}

    static WebClient webClient(AwsChunked chunked) {
        return webClient(S3ExchangeFilter.builder().chunked(chunked));
    }

    static WebClient webClient(AwsChunked.Signed signed) {
        return webClient(S3ExchangeFilter.builder().chunked(signed));
    }

    private static WebClient webClient(S3ExchangeFilter.Builder filter) {
        return WebClient.builder()
                .clientConnector(CONNECTOR)
                .baseUrl(SERVER.toString())
                .filter(filter.credentials(AwsCredentials.of("access", "secret"))
                        .region("us-east-1")
                        .build())
                .build();
    }

    /** Reactor Netty loads native libraries at its first use, on whatever thread that is. */
    private static HttpClient warm() {
        HttpClient client = HttpClient.create();
        client.warmup().block();
        return client;
    }

    private static URI server() {
        try {
            return RecordingServer.answering(Answer.status(200)).endpoint();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
