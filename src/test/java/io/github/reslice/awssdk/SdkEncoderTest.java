package io.github.reslice.awssdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.awschunked.ReferenceDecoder;
import io.github.reslice.servers.Answer;
import io.github.reslice.servers.RecordingServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** What README says of the SDK's own encoder. When one of these fails, the SDK has mended it: take it out of the table. */
class SdkEncoderTest {

    private final RecordingServer server = RecordingServer.answering(Answer.status(200));
    private final S3AsyncClient s3 = Clients.without(server.endpoint(), builder -> {});

    SdkEncoderTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        s3.close();
        server.close();
    }

    @Test
    void cutsABodyThatIsLongerThanItsLength() {
        upload(AsyncRequestBody.fromPublisher(Flux.just(ByteBuffer.allocate(9))), 5);

        assertThat(ReferenceDecoder.decode(server.requests().get(0).body()).payload())
                .hasSize(5);
    }

    @Test
    void findsTheSameBuffersEmptyTheSecondTime() {
        AsyncRequestBody body = AsyncRequestBody.fromPublisher(Flux.just(ByteBuffer.allocate(9)));
        upload(body, 9);

        assertThatThrownBy(() -> upload(body, 9)).hasMessageContaining("Request content was only");
    }

    private void upload(AsyncRequestBody body, long length) {
        s3.putObject(put -> put.bucket("bucket").key("key").contentLength(length), body)
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }
}
