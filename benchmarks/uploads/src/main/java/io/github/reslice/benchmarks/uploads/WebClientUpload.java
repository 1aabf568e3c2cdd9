package io.github.reslice.benchmarks.uploads;

import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.spring.S3ExchangeFilter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

/** By {@code WebClient}, over Reactor Netty. */
final class WebClientUpload implements Upload {

    private final WebClient client;
    private final Body body;

    private WebClientUpload(WebClient.Builder client, Setting setting) throws GeneralSecurityException, IOException {
        this.client = client.baseUrl(setting.endpoint().toString())
                .clientConnector(new ReactorClientHttpConnector(NettyClient.of(setting)))
                .build();
        body = setting.body();
    }

    static Upload raw(Setting setting) throws GeneralSecurityException, IOException {
        return new WebClientUpload(WebClient.builder(), setting);
    }

    static Upload filtered(Setting setting) throws GeneralSecurityException, IOException {
        S3ExchangeFilter filter = S3ExchangeFilter.builder()
                .credentials(AwsCredentials.of("access", "secret"))
                .region("us-east-1")
                .chunked(setting.chunked())
                .build();
        return new WebClientUpload(WebClient.builder().filter(filter), setting);
    }

    @Override
    public String send() {
        return client.put()
                .uri("/bucket/key")
                .contentLength(body.length)
                .body(body.byteBuffers(), ByteBuffer.class)
                .retrieve()
                .toBodilessEntity()
                .mapNotNull(ResponseEntity::getHeaders)
                .mapNotNull(headers -> headers.getETag())
                .blockOptional()
                .orElseThrow();
    }
}
