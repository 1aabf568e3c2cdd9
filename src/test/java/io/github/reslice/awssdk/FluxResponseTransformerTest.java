package io.github.reslice.awssdk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.Checksums;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.ChecksumMismatchException;
import io.github.reslice.servers.Answer;
import io.github.reslice.servers.RecordingServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.async.ResponsePublisher;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** A response of the SDK's client over Netty, read as a Flux. */
@Timeout(60)
class FluxResponseTransformerTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String TEXT = "0123456789".repeat(30_000);

    private static CompletableFuture<ResponsePublisher<GetObjectResponse>> get(S3AsyncClient s3) {
        return s3.getObject(request -> request.bucket("bucket").key("key"), FluxResponseTransformer.create());
    }

    private static Answer object() {
        return Answer.status(200).header("ETag", "\"1\"").body("text/plain", TEXT);
    }

    private static String text(Flux<ByteBuffer> body) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        body.doOnNext(buffer -> {
                    byte[] bytes = new byte[buffer.remaining()];
                    buffer.get(bytes);
                    all.writeBytes(bytes);
                })
                .blockLast(SOON);
        return all.toString(UTF_8);
    }

    private interface Reading {
        void of(S3AsyncClient s3, RecordingServer server) throws Exception;
    }

    private static void reading(Reading reading, Answer first, Answer... more) throws Exception {
        try (RecordingServer server = RecordingServer.answering(first, more);
                S3AsyncClient s3 = SdkClient.of(server.endpoint())) {
            reading.of(s3, server);
        }
    }

    @Test
    void givesTheHeadersAndTheBody() throws Exception {
        reading(
                (s3, server) -> {
                    ResponsePublisher<GetObjectResponse> object = get(s3).get();

                    assertThat(object.response().eTag()).isEqualTo("\"1\"");
                    assertThat(text(Flux.from(object))).isEqualTo(TEXT);
                },
                object());
    }

    @Test
    void givesAnEmptyBody() throws Exception {
        reading(
                (s3, server) ->
                        StepVerifier.create(get(s3).get()).expectComplete().verify(SOON),
                Answer.status(200));
    }

    @Test
    void failsWhenTheServerClosesBeforeTheAnnouncedLength() throws Exception {
        reading(
                (s3, server) -> StepVerifier.create(get(s3).get())
                        .thenConsumeWhile(buffer -> true)
                        .expectErrorSatisfies(e -> assertThat(e)
                                .isInstanceOf(IOException.class)
                                .hasMessageContaining("300007")
                                .hasMessageContaining("300000"))
                        .verify(SOON),
                object().missing(7));
    }

    /** When the SDK tells it by itself, the class above has lost its reason. */
    @Test
    void theSdksOwnPublisherTellsNothingOfIt() throws Exception {
        reading(
                (s3, server) -> {
                    ResponsePublisher<GetObjectResponse> object = s3.getObject(
                                    request -> request.bucket("bucket").key("key"),
                                    AsyncResponseTransformer.<GetObjectResponse>toPublisher())
                            .get();

                    StepVerifier.create(Flux.from(object).timeout(Duration.ofSeconds(2)))
                            .thenConsumeWhile(buffer -> true)
                            .expectError(TimeoutException.class)
                            .verify(SOON);
                },
                object().missing(7));
    }

    @Test
    void failsASecondSubscription() throws Exception {
        reading(
                (s3, server) -> {
                    Flux<ByteBuffer> body = Flux.from(get(s3).get());
                    assertThat(text(body)).isEqualTo(TEXT);

                    StepVerifier.create(body)
                            .expectErrorSatisfies(e -> assertThat(e)
                                    .isInstanceOf(IllegalStateException.class)
                                    .hasMessageContaining("only once"))
                            .verify(SOON);
                },
                object());
    }

    @Test
    void asksForTheObjectAgainWithEachSubscription() throws Exception {
        reading(
                (s3, server) -> {
                    Flux<ByteBuffer> body = Mono.fromFuture(() -> get(s3)).flatMapMany(Flux::from);

                    assertThat(text(body)).isEqualTo(TEXT);
                    assertThat(text(body)).isEqualTo(TEXT);
                    assertThat(server.requests()).hasSize(2);
                },
                object());
    }

    @Test
    void isTriedAgainUntilTheResponseBegins() throws Exception {
        reading(
                (s3, server) -> assertThat(text(Flux.from(get(s3).get()))).isEqualTo(TEXT),
                Answer.resetAfter(0),
                Answer.status(503),
                object());
    }

    @Test
    void failsTheFutureWhenTheServerRefuses() throws Exception {
        reading(
                (s3, server) -> assertThatThrownBy(get(s3)::join).hasCauseInstanceOf(S3Exception.class),
                Answer.status(404));
    }

    @Test
    void givesNoMoreThanIsAskedFor() throws Exception {
        reading(
                (s3, server) -> StepVerifier.create(get(s3).get(), 1)
                        .expectNextCount(1)
                        .thenRequest(1)
                        .expectNextCount(1)
                        .thenRequest(Long.MAX_VALUE)
                        .thenConsumeWhile(buffer -> true)
                        .expectComplete()
                        .verify(SOON),
                object());
    }

    @Test
    void theClientWorksOnAfterACancellation() throws Exception {
        reading(
                (s3, server) -> {
                    for (int i = 0; i < 60; i++) { // more than the connections that there may be
                        Flux.from(get(s3).get()).take(1).blockLast(SOON);
                    }
                    assertThat(text(Flux.from(get(s3).get()))).isEqualTo(TEXT);
                },
                object());
    }

    @Test
    void isVerifiedAgainstAChecksum() throws Exception {
        reading(
                (s3, server) -> StepVerifier.create(Flux.from(get(s3).get())
                                .transform(Checksums.verify(ChecksumAlgorithm.CRC32C, "yZRlqg==")))
                        .thenConsumeWhile(buffer -> true)
                        .expectError(ChecksumMismatchException.class)
                        .verify(SOON),
                object());
    }
}
