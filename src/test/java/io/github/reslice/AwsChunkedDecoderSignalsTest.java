package io.github.reslice;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.awschunked.AwsChunkedException;
import io.github.reslice.awschunked.Client;
import io.github.reslice.awschunked.Mode;
import io.github.reslice.awschunked.Sliced;
import io.github.reslice.sigv4.SignedHeaders;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** Demand, errors and discard, as a receiver of the payload sees them. */
class AwsChunkedDecoderSignalsTest {

    private static final String CRC32 = "x-amz-checksum-crc32";
    private static final byte[] HELLO = "hello world".getBytes(US_ASCII);
    private static final byte[] BODY = Client.body(HELLO, 11, CRC32 + ":DUoRhQ==");

    @Test
    void demandIsKeptToTheItem() {
        byte[] wire = Client.body(new byte[100], 10);
        AwsChunkedDecoder decoder = AwsChunkedDecoder.builder().minChunkSize(0).build();
        for (int size : new int[] {1, 7, 1000}) {
            PacedReceiver<ByteBuffer> receiver = new PacedReceiver<>(() -> 1);
            Sliced.bySize(wire, size).flux().transform(decoder.decode()).subscribe(receiver);

            assertThat(Sliced.join(receiver.completed())).hasSize(100);
        }
    }

    @Test
    void upstreamIsAskedForOneBufferAtATime() {
        AtomicInteger given = new AtomicInteger();
        PacedReceiver<ByteBuffer> receiver = new PacedReceiver<>(new AtomicInteger(1)::getAndDecrement);
        Sliced.bySize(Client.body(new byte[100], 100), 5)
                .flux()
                .doOnNext(buffer -> given.incrementAndGet())
                .transform(AwsChunkedDecoder.builder().build().decode())
                .subscribe(receiver);

        assertThat(receiver.received()).hasSize(1);
        assertThat(given).hasValue(1);
    }

    @Test
    void completionNeedsNoDemandBeyondTheLastPiece() {
        StepVerifier.create(
                        Flux.just(ByteBuffer.wrap(BODY))
                                .transform(AwsChunkedDecoder.builder()
                                        .trailer(CRC32)
                                        .build()
                                        .decode()),
                        1)
                .expectNextCount(1)
                .verifyComplete();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void completionNeedsNoDemandForFramingThatComesLater(int size) {
        byte[] wire = Client.body(HELLO, 11, CRC32 + ":DUoRhQ==");
        AwsChunkedDecoder decoder =
                AwsChunkedDecoder.builder().decodedLength(11).trailer(CRC32).build();
        List<ByteBuffer> pieces = Sliced.bySize(wire, size)
                .flux()
                .transform(decoder.decode())
                .collectList()
                .block();

        StepVerifier.create(Sliced.bySize(wire, size).flux().transform(decoder.decode()), pieces.size())
                .expectNextCount(pieces.size())
                .expectComplete()
                .verify(Duration.ofSeconds(10));
    }

    @Test
    void aWrongChecksumNeedsNoDemandEither() {
        byte[] wire = Client.body(HELLO, 11, CRC32 + ":AAAAAA==");

        StepVerifier.create(
                        Flux.just(ByteBuffer.wrap(wire, 0, 14), ByteBuffer.wrap(wire, 14, wire.length - 14))
                                .transform(AwsChunkedDecoder.builder()
                                        .decodedLength(11)
                                        .trailer(CRC32)
                                        .build()
                                        .decode()),
                        1)
                .expectNextCount(1)
                .expectError(AwsChunkedException.class)
                .verify(Duration.ofSeconds(10));
    }

    @Test
    void aWrongChecksumIsAnErrorInPlaceOfCompletion() {
        byte[] wire = Client.body(HELLO, 11, CRC32 + ":AAAAAA==");
        PacedReceiver<ByteBuffer> receiver = new PacedReceiver<>(() -> 1);
        Flux.just(ByteBuffer.wrap(wire))
                .transform(AwsChunkedDecoder.builder().trailer(CRC32).build().decode())
                .subscribe(receiver);

        assertThat(receiver.failure()).isInstanceOf(AwsChunkedException.class).hasMessageContaining("BadDigest");
        assertThat(Sliced.join(receiver.received())).isEqualTo(HELLO);
    }

    @Test
    void theRefusedBufferIsDiscardedByItsRest() {
        ByteBuffer wire = ByteBuffer.wrap("5\r\nhelloworld".getBytes(US_ASCII));
        List<ByteBuffer> discarded = new ArrayList<>();

        StepVerifier.create(Flux.just(wire)
                        .transform(AwsChunkedDecoder.builder().build().decode())
                        .doOnDiscard(ByteBuffer.class, discarded::add))
                .expectNextCount(1)
                .verifyError(AwsChunkedException.class);
        assertThat(new String(Sliced.join(discarded), US_ASCII)).isEqualTo("world");
    }

    @Test
    void aBufferOfWhichNothingWasReadIsDiscardedAsItself() {
        ByteBuffer wire = ByteBuffer.wrap("hello".getBytes(US_ASCII));
        List<ByteBuffer> discarded = new ArrayList<>();
        SignedHeaders seed = Client.seed(Mode.SIGNED, 5);

        StepVerifier.create(Flux.just(
                                ByteBuffer.wrap(("5;chunk-signature=" + "a".repeat(64) + "\r\n").getBytes(US_ASCII)),
                                wire)
                        .transform(AwsChunkedDecoder.builder().build().decode(seed))
                        .doOnDiscard(ByteBuffer.class, discarded::add))
                .verifyError(AwsChunkedException.class);
        assertThat(discarded).singleElement().isSameAs(wire);
    }

    @Test
    void heldBuffersAreDiscardedWhenTheSignatureIsWrong() {
        SignedHeaders seed = Client.seed(Mode.SIGNED, 4000);
        byte[] wire = Client.signedBody(seed, new byte[4000], 4000);
        wire[2000] ^= 1;
        List<ByteBuffer> discarded = new ArrayList<>();

        StepVerifier.create(Sliced.bySize(wire, 1500)
                        .flux()
                        .transform(AwsChunkedDecoder.builder()
                                .holdChunkUntilVerified()
                                .build()
                                .decode(seed))
                        .doOnDiscard(ByteBuffer.class, discarded::add))
                .verifyError(AwsChunkedException.class);
        assertThat(discarded).extracting(ByteBuffer::remaining).containsExactly(1500 - 86, 1500, wire.length - 3000);
    }
}
