package io.github.reslice.awssdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.servers.OnServer;
import io.github.reslice.servers.Peer;
import io.github.reslice.servers.SdkClients;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.services.s3.S3AsyncClient;

@OnServer(Peer.S3MOCK)
class S3MockFluxTest extends FluxSuite {

    private static final int MIB = 1024 * 1024;

    @Test
    void storesInPartsAndReads() {
        byte[] payload = bytes(17 * MIB);
        List<Long> progress = new CopyOnWriteArrayList<>();
        AsyncRequestBody body = FluxRequestBody.of(
                        Flux.range(0, 17).map(i -> ByteBuffer.wrap(payload, i * MIB, MIB)), payload.length)
                .onProgress(progress::add);
        try (S3AsyncClient s3 = SdkClients.asyncInParts(server)) {
            s3.putObject(request -> request.bucket(bucket).key("key"), body).join();

            assertReads(s3, payload);
        }
        assertThat(progress).hasSize(17).isSorted().endsWith(17L * MIB);
    }
}
