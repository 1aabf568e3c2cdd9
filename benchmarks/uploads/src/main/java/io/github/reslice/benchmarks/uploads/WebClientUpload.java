package io.github.reslice.benchmarks.uploads;

import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.spring.S3ExchangeFilter;
import java.nio.ByteBuffer;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.function.client.WebClient;

/** By {@code WebClient}. */
final class WebClientUpload implements Upload {

    private final WebClient client;
    private final Body body;

    private WebClientUpload(WebClient.Builder client, Setting setting, Connector connector) throws Exception {
        this.client = client.baseUrl(setting.endpoint().toString())
                .clientConnector(connector.connect(setting))
                .build();
        body = setting.body();
    }

    static Upload raw(Setting setting, Connector connector) throws Exception {
        return new WebClientUpload(WebClient.builder(), setting, connector);
    }

    static Upload filtered(Setting setting, Connector connector) throws Exception {
        return through(filter(setting), setting, connector);
    }

    static Upload joined(Setting setting, Connector connector, int size) throws Exception {
        return through(filter(setting).joinUpTo(size), setting, connector);
    }

    private static S3ExchangeFilter.Builder filter(Setting setting) {
        return S3ExchangeFilter.builder()
                .credentials(AwsCredentials.of("access", "secret"))
                .region("us-east-1")
                .chunked(setting.chunked());
    }

    private static Upload through(S3ExchangeFilter.Builder filter, Setting setting, Connector connector)
            throws Exception {
        return new WebClientUpload(WebClient.builder().filter(filter.build()), setting, connector);
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
