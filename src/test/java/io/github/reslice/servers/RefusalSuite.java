package io.github.reslice.servers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.reslice.AwsChunked;
import io.github.reslice.awschunked.DecodedLengthException;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.spring.S3Error;
import io.github.reslice.spring.S3ExchangeFilter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClient.RequestHeadersSpec;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** What fails on the way leaves nothing under the key, and says why. */
abstract class RefusalSuite extends FilterSuite {

    /** Which of the payload's bytes is changed on the way. */
    private static final int PLACE = 70_000;

    private final byte[] payload = randomBytes(100_000);

    static Stream<Arguments> algorithms() {
        return Stream.of(Connector.values())
                .flatMap(connector ->
                        Stream.of(ChecksumAlgorithm.values()).map(algorithm -> Arguments.of(connector, algorithm)));
    }

    static Stream<Arguments> brokenLengths() {
        return Stream.of(Connector.values())
                .flatMap(connector -> Stream.of(99_999L, 100_001L)
                        .flatMap(
                                length -> Stream.of(false, true).map(plain -> Arguments.of(connector, length, plain))));
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void refusesAByteChangedOnTheWayWhereTheChecksumIsVerified(Connector connector, ChecksumAlgorithm algorithm)
            throws IOException {
        AwsChunked chunked = AwsChunked.builder().checksum(algorithm).build();

        if (!server().takes(algorithm)) { // it may say so before the byte has come to where it is changed
            assertRefusedEarly(upload(client(connector, chunked)));
            assertNothingStored();
        } else if (!server().verifies(algorithm)) {
            sendChanged(connector, chunked, FilterSuite::send);
            assertStored(changed());
        } else {
            sendChanged(connector, chunked, FilterSuite::refusal);
            assertNothingStored();
        }
    }

    /** No server can find it, with an unsigned body and no checksum. */
    @ParameterizedTest
    @EnumSource
    void storesAByteChangedOnTheWayIfThereIsNoChecksum(Connector connector) throws IOException {
        sendChanged(connector, AwsChunked.builder().noChecksum().build(), FilterSuite::send);

        assertStored(changed());
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void refusesAGivenValueThatIsWrongWhereItIsVerified(Connector connector, ChecksumAlgorithm algorithm)
            throws IOException {
        String ofNothing = algorithm.start().base64();
        AwsChunked chunked = AwsChunked.builder().checksum(algorithm, ofNothing).build();

        if (server().takes(algorithm) && !server().verifies(algorithm)) {
            send(upload(client(connector, chunked)));
            assertStored(payload);
        } else {
            if (server().verifies(algorithm)) {
                refusal(upload(client(connector, chunked)));
            } else {
                assertRefusedEarly(upload(client(connector, chunked)));
            }
            assertNothingStored();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesACallersChecksumHeaderThatIsWrongWhereItIsVerified(Connector connector) throws IOException {
        String right = new RawUpload(payload).crc32();
        send(upload(client(connector)).header("x-amz-checksum-crc32", right));
        assertStored(payload);

        RequestHeadersSpec<?> wrong = BodyKind.BYTE_BUFFERS
                .give(client(connector).put().uri(path + "-2"), payload)
                .header("x-amz-checksum-crc32", "AAAAAA==");
        assertThat(server().checks(Check.HEADER_CHECKSUM))
                .as("each of the servers does")
                .isTrue();
        refusal(wrong);
        assertThat(RawS3.get(server(), path + "-2").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @MethodSource("brokenLengths")
    void failsABodyThatBreaksItsLengthAndStoresNothing(Connector connector, long length, boolean plain)
            throws IOException {
        S3ExchangeFilter.Builder settings = settings(server());
        WebClient client = client(connector, server(), plain ? settings.plainBodies() : settings);

        Throwable thrown = catchThrowable(
                () -> send(put(client).contentLength(length).body(BodyKind.byteBuffers(payload), ByteBuffer.class)));

        assertThat(thrown)
                .isInstanceOf(WebClientRequestException.class)
                .hasCauseInstanceOf(DecodedLengthException.class);
        assertThat(thrown.getMessage()).contains(Long.toString(length));
        assertNothingStored();
    }

    @ParameterizedTest
    @EnumSource
    void storesNothingOfABodyThatFailsHalfway(Connector connector) throws IOException {
        Flux<ByteBuffer> body =
                Flux.concat(BodyKind.byteBuffers(payload), Flux.error(new IOException("the source broke")));

        Throwable thrown = catchThrowable(() ->
                send(put(client(connector)).contentLength(payload.length + 1).body(body, ByteBuffer.class)));

        assertThat(thrown).isInstanceOf(WebClientRequestException.class).hasStackTraceContaining("the source broke");
        assertNothingStored();
    }

    @ParameterizedTest
    @EnumSource
    void storesNothingWhenTheConnectionIsCut(Connector connector) throws IOException {
        assertThat(server().checks(Check.BROKEN_OFF))
                .as("each of the servers does")
                .isTrue();
        try (TamperingProxy proxy = TamperingProxy.before(server().endpoint(), Fault.cutAfter(50_000))) {
            S3Server behind = server().through(proxy.endpoint());

            assertThatThrownBy(() -> send(upload(client(connector, behind, settings(behind)))))
                    .isInstanceOf(WebClientRequestException.class);
            assertThat(proxy.faults()).isOne();
        }
        assertNothingStored();
    }

    @ParameterizedTest
    @EnumSource
    void storesNothingOfACancelledUploadAndTheServerLives(Connector connector) throws Exception {
        CountDownLatch halfway = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        Flux<ByteBuffer> body = BodyKind.byteBuffers(payload)
                .concatWith(Flux.<ByteBuffer>never().doOnSubscribe(s -> halfway.countDown()))
                .doOnCancel(cancelled::countDown);
        Disposable running = put(client(connector))
                .contentLength(2L * payload.length)
                .body(body, ByteBuffer.class)
                .retrieve()
                .toBodilessEntity()
                .subscribe();
        assertThat(halfway.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

        running.dispose();

        assertThat(cancelled.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertNothingStored();
        send(upload(client(connector)));
        assertStored(payload);
    }

    @ParameterizedTest
    @EnumSource
    void refusesAWrongSecretWhereSignaturesAreChecked(Connector connector) throws IOException {
        WebClient stranger = client(
                connector, server(), settings(server()).credentials(AwsCredentials.of(server().accessKey(), "wrong")));

        if (server().checks(Check.REQUEST_SIGNATURE)) {
            assertRefusedEarly(upload(stranger));
            assertNothingStored();
            S3Error error = refusal(stranger.get().uri(path));
            assertThat(error.code()).isEqualTo("SignatureDoesNotMatch");
            assertThat(error.status()).isEqualTo(403);
        } else {
            send(upload(stranger));
            assertStored(payload);
        }
    }

    @Test
    void readsWhatTheServerSaysOfAMissingKey() throws IOException {
        S3Error error = refusal(client(Connector.REACTOR_NETTY).get().uri(path));

        assertThat(error.status()).isEqualTo(404);
        assertThat(error.code()).isEqualTo("NoSuchKey");
        assertThat(error.message()).isNotBlank();
        boolean given = new String(RawS3.get(server(), path).body(), UTF_8).contains("<RequestId>");
        assertThat(error.requestId() != null)
                .as("the request's id, if there is one")
                .isEqualTo(given);
    }

    @Test
    void readsWhatTheServerSaysOfAMissingBucket() {
        WebClient client = client(Connector.REACTOR_NETTY);

        S3Error error = refusal(client.get().uri("/no-such-" + bucket + "/object"));

        assertThat(error.status()).isEqualTo(404);
        assertThat(error.code()).isEqualTo("NoSuchBucket");
        assertThat(error.message()).isNotBlank();
    }

    @ParameterizedTest
    @EnumSource
    void sendsUnknownLengthsWhereTheServerTakesThem(Connector connector) throws IOException {
        WebClient client = client(connector, server(), settings(server()).transferEncodingChunked());
        RequestHeadersSpec<?> request = put(client).body(BodyKind.byteBuffers(payload), ByteBuffer.class);

        if (server().checks(Check.DECODED_LENGTH)) {
            S3Error error = refusal(request);
            assertThat(error.hint()).as(error.toString()).contains("contentLength(n)");
            assertNothingStored();
        } else {
            send(request);
            assertStored(payload);
        }
    }

    private RequestHeadersSpec<?> upload(WebClient client) {
        return BodyKind.BYTE_BUFFERS.give(put(client), payload);
    }

    /** Sends the payload through a proxy that changes one of its bytes: behind the first chunk's header, "186a0" and CRLF. */
    private <T> T sendChanged(Connector connector, AwsChunked chunked, Function<RequestHeadersSpec<?>, T> send)
            throws IOException {
        Fault fault = Fault.changeBodyByte("186a0\r\n".length() + PLACE);
        try (TamperingProxy proxy = TamperingProxy.before(server().endpoint(), fault)) {
            S3Server behind = server().through(proxy.endpoint());
            T result =
                    send.apply(upload(client(connector, behind, settings(behind).chunked(chunked))));
            assertThat(proxy.faults()).isOne();
            return result;
        }
    }

    private byte[] changed() {
        byte[] changed = payload.clone();
        changed[PLACE] = (byte) (changed[PLACE] == '0' ? '1' : '0');
        return changed;
    }
}
