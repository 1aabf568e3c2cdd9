package io.github.reslice;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.reslice.awschunked.AwsChunkedException;
import io.github.reslice.awschunked.AwsChunkedException.Reason;
import io.github.reslice.awschunked.Client;
import io.github.reslice.awschunked.Mode;
import io.github.reslice.awschunked.Sliced;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.SignedHeaders;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

class AwsChunkedDecoderTest {

    private static final String CRC32 = "x-amz-checksum-crc32";
    private static final byte[] HELLO = "hello world".getBytes(US_ASCII);
    private static final byte[] BODY = Client.body(HELLO, 11, CRC32 + ":DUoRhQ==");

    // the contract's lines

    @Test
    void readsAnUnsignedBodyAndChecksWhatWasAnnounced() {
        AwsChunkedDecoder decoder =
                AwsChunkedDecoder.builder().decodedLength(11).trailer(CRC32).build();

        assertThat(decode(decoder.decode(), BODY)).isEqualTo(HELLO);
    }

    @Test
    void readsASignedBodyWithWhatItsRequestAnnounces() {
        AwsChunkedDecoder decoder = AwsChunkedDecoder.builder().build();
        SignedHeaders seed = Client.seed(Mode.SIGNED_WITH_TRAILER, 11, CRC32);

        assertThat(decode(decoder.decode(seed), Client.signedBody(seed, HELLO, 11, CRC32 + ":DUoRhQ==")))
                .isEqualTo(HELLO);
        assertRefused(decoder.decode(seed), Client.signedBody(seed, HELLO, 11), Reason.MISSING_TRAILER);
        assertRefused(decoder.decode(seed), Client.signedBody(seed, new byte[12], 12), Reason.LONGER_THAN_DECLARED);
    }

    @Test
    void readsASignedBodyWithWhatTheBuilderWasTold() {
        SignedHeaders seed = Client.sign(Map.of("x-amz-content-sha256", Mode.SIGNED_WITH_TRAILER.headerValue()));
        AwsChunkedDecoder decoder =
                AwsChunkedDecoder.builder().decodedLength(12).trailer(CRC32).build();

        assertRefused(
                decoder.decode(seed),
                Client.signedBody(seed, HELLO, 11, CRC32 + ":DUoRhQ=="),
                Reason.SHORTER_THAN_DECLARED);
    }

    @Test
    void takesFromARequestsHeadersWhatTheyAnnounce() {
        AwsChunkedDecoder decoder = AwsChunkedDecoder.builder()
                .headers(Map.of(
                        "X-Amz-Content-SHA256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
                        "X-AMZ-DECODED-CONTENT-LENGTH", "11",
                        "x-amz-trailer", "X-Amz-Checksum-Crc32 , x-note"))
                .build();

        assertThat(decode(decoder.decode(), Client.body(HELLO, 11, CRC32 + ":DUoRhQ==", "x-note:1")))
                .isEqualTo(HELLO);
        assertRefused(decoder.decode(), BODY, Reason.MISSING_TRAILER);
        assertRefused(decoder.decode(), Client.body(new byte[10], 11), Reason.SHORTER_THAN_DECLARED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a,", ",a", "a,,b", "a, A", "x-note,a,x-note"})
    void refusesAnAnnouncementWithAnEmptyNameOrOneTwice(String announced) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder()
                        .headers(Map.of(
                                "x-amz-content-sha256",
                                "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
                                "x-amz-trailer",
                                announced)));
    }

    @ParameterizedTest
    @EnumSource
    void readsWhatTheEncoderWrites(ChecksumAlgorithm algorithm) {
        AwsChunked chunked =
                AwsChunked.builder().chunkSize(8192).checksum(algorithm).build();
        AwsChunkedDecoder decoder =
                AwsChunkedDecoder.builder().headers(chunked.headers(20_000)).build();
        ByteBuffer payload = ByteBuffer.allocate(20_000);

        StepVerifier.create(Flux.just(payload)
                        .transform(chunked.encode(20_000))
                        .transform(decoder.decode())
                        .map(ByteBuffer::remaining)
                        .reduce(Integer::sum))
                .expectNext(20_000)
                .verifyComplete();
    }

    @Test
    void announcingNothingTakesAnyLengthAndNoTrailer() {
        AwsChunkedDecoder decoder = AwsChunkedDecoder.builder().build();

        assertThat(decode(decoder.decode(), Client.body(HELLO, 11))).isEqualTo(HELLO);
        assertRefused(decoder.decode(), BODY, Reason.UNANNOUNCED_TRAILER);
    }

    @Test
    void everySubscriptionStartsFresh() {
        AwsChunkedDecoder decoder =
                AwsChunkedDecoder.builder().decodedLength(11).trailer(CRC32).build();
        Flux<ByteBuffer> payload = Flux.just(ByteBuffer.wrap(BODY)).transform(decoder.decode());

        assertThat(Sliced.join(payload.collectList().block())).isEqualTo(HELLO);
        assertThat(Sliced.join(payload.collectList().block())).isEqualTo(HELLO);
    }

    // the bounds' defaults

    @Test
    void refusesSmallChunksByDefaultAsS3Does() {
        byte[] small = Client.body(new byte[8191 + 1], 8191);

        assertRefused(AwsChunkedDecoder.builder().build().decode(), small, Reason.CHUNK_TOO_SMALL);
        assertThat(decode(AwsChunkedDecoder.builder().minChunkSize(8191).build().decode(), small))
                .hasSize(8192);
        assertThat(decode(AwsChunkedDecoder.builder().minChunkSize(0).build().decode(), Client.body(HELLO, 1)))
                .isEqualTo(HELLO);
        assertThat(decode(AwsChunkedDecoder.builder().build().decode(), Client.body(new byte[8193], 8192)))
                .hasSize(8193);
    }

    @Test
    void takesChunksAsLargeAsTheEncoderMakesThem() {
        assertHeaderIsTaken(AwsChunkedDecoder.builder(), "40000000", true);
        assertHeaderIsTaken(AwsChunkedDecoder.builder(), "40000001", false);
        assertHeaderIsTaken(AwsChunkedDecoder.builder().maxChunkSize(Integer.MAX_VALUE), "7fffffff", true);
        assertHeaderIsTaken(AwsChunkedDecoder.builder().maxChunkSize(1), "1", true);
        assertHeaderIsTaken(AwsChunkedDecoder.builder().maxChunkSize(1), "2", false);
    }

    @Test
    void takesSmallerChunksWhenItHoldsThem() {
        SignedHeaders seed = Client.seed(Mode.SIGNED, Long.MAX_VALUE);
        AwsChunkedDecoder.Builder builder = AwsChunkedDecoder.builder().holdChunkUntilVerified();

        assertHeaderIsTaken(builder.build().decode(seed), "1000000;chunk-signature=" + "a".repeat(64), true);
        assertHeaderIsTaken(builder.build().decode(seed), "1000001;chunk-signature=" + "a".repeat(64), false);
        assertHeaderIsTaken(
                builder.maxChunkSize(0x1000001).build().decode(seed),
                "1000001;chunk-signature=" + "a".repeat(64),
                true);
    }

    @Test
    void aLargeSizeAllocatesNothing() {
        SignedHeaders seed = Client.seed(Mode.SIGNED, Long.MAX_VALUE);
        AwsChunkedDecoder decoder = AwsChunkedDecoder.builder()
                .maxChunkSize(Integer.MAX_VALUE)
                .holdChunkUntilVerified()
                .build();

        // 2 GiB are more than the tests' heap
        assertRefused(
                decoder.decode(seed),
                ("7fffffff;chunk-signature=" + "a".repeat(64) + "\r\nhello").getBytes(US_ASCII),
                Reason.TRUNCATED);
    }

    @Test
    void boundsTheHeadersLine() {
        byte[] long1024 = ("1" + ";".repeat(1023) + "\r\n").getBytes(US_ASCII);
        byte[] long1025 = ("1" + ";".repeat(1024) + "\r\n").getBytes(US_ASCII);

        assertRefused(AwsChunkedDecoder.builder().build().decode(), long1024, Reason.UNEXPECTED_EXTENSION);
        assertRefused(AwsChunkedDecoder.builder().build().decode(), long1025, Reason.HEADER_TOO_LONG);
        assertRefused(
                AwsChunkedDecoder.builder().maxHeaderLine(1).build().decode(),
                Client.body(new byte[16], 16),
                Reason.HEADER_TOO_LONG);
    }

    @Test
    void aLargeBoundOfTheHeadersLineAllocatesNothing() {
        assertRefused(
                AwsChunkedDecoder.builder()
                        .maxHeaderLine(Integer.MAX_VALUE)
                        .build()
                        .decode(),
                ("f".repeat(200) + "\r\n").getBytes(US_ASCII),
                Reason.MALFORMED_CHUNK_SIZE);
    }

    @Test
    void boundsTheTrailers() {
        AwsChunkedDecoder.Builder builder = AwsChunkedDecoder.builder().trailer("x");

        assertThat(decode(builder.build().decode(), Client.body(HELLO, 11, "x:" + "a".repeat(8190))))
                .isEqualTo(HELLO);
        assertRefused(
                builder.build().decode(), Client.body(HELLO, 11, "x:" + "a".repeat(8191)), Reason.TRAILERS_TOO_LONG);
        assertRefused(
                builder.maxTrailerSize(3).build().decode(), Client.body(HELLO, 11, "x:aa"), Reason.TRAILERS_TOO_LONG);
    }

    @Test
    void boundsTheNumberOfAnnouncedTrailers() {
        AwsChunkedDecoder.Builder builder = AwsChunkedDecoder.builder();
        for (int i = 0; i < 16; i++) {
            builder.trailer("x-" + i);
        }
        builder.build();
        builder.trailer("x-16");

        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessage("At most 16 trailers may be announced, there were 17");
        builder.maxTrailers(17).build();
    }

    @Test
    void boundsTheNumberOfTrailersThatTheSeedAnnounces() {
        AwsChunkedDecoder decoder = AwsChunkedDecoder.builder().maxTrailers(1).build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> decoder.decode(Client.seed(Mode.SIGNED_WITH_TRAILER, 1, "a", "b")))
                .withMessage("At most 1 trailers may be announced, there were 2");
    }

    // bad arguments

    @Test
    void refusesBoundsThatAreTooSmall() {
        AwsChunkedDecoder.Builder builder = AwsChunkedDecoder.builder();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.decodedLength(-1))
                .withMessageContaining("0 or more, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.minChunkSize(-1))
                .withMessageContaining("0 or more, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxChunkSize(0))
                .withMessageContaining("1 or more, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxHeaderLine(0))
                .withMessageContaining("1 or more, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxTrailers(-1))
                .withMessageContaining("0 or more, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxTrailerSize(-1))
                .withMessageContaining("0 or more, was -1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:b", "Content-Length", "x-amz-trailer-signature"})
    void refusesANameThatCanBeNoTrailer(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder().trailer(name));
    }

    @Test
    void showsANameThatCanBeNoTrailerMadeVisibleAndCutShort() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder().trailer("a\r\n" + "b".repeat(1000)))
                .withMessageContaining("\"a\\x0d\\x0ab")
                .withMessageEndingWith("(1003 characters)");
    }

    // a regular expression for the blanks took minutes
    @Test
    void blanksBetweenAnnouncedTrailersCostNoTime() {
        Map<String, String> headers = Map.of(
                "x-amz-content-sha256",
                Mode.UNSIGNED.headerValue(),
                "x-amz-trailer",
                "a" + " ".repeat(250_000) + "b , c");

        assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () -> assertThatIllegalArgumentException()
                        .isThrownBy(() -> AwsChunkedDecoder.builder().headers(headers)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"x-amz-checksum-xxhash32", "x-amz-checksum-", "x-amz-checksum-crc16", "X-Amz-Checksum-Type"})
    void refusesAChecksumThatItCannotCompute(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder().trailer(name))
                .withMessageContaining("cannot be computed")
                .withMessageContaining("CRC64NVME");
    }

    @Test
    void refusesTwoChecksums() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder().trailer(CRC32).trailer("x-amz-checksum-sha1"))
                .withMessageContaining("[x-amz-checksum-crc32, x-amz-checksum-sha1]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UNSIGNED-PAYLOAD",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD",
                "streaming-unsigned-payload-trailer",
                ""
            })
    void refusesHeadersOfAnotherMode(String mode) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder().headers(Map.of("x-amz-content-sha256", mode)))
                .withMessageContaining(mode)
                .withMessageContaining("STREAMING-UNSIGNED-PAYLOAD-TRAILER")
                .withMessageContaining("STREAMING-AWS4-HMAC-SHA256-PAYLOAD, ")
                .withMessageContaining("STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER");
    }

    @Test
    void refusesHeadersWithoutAMode() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder().headers(Map.of("Content-Encoding", "aws-chunked")))
                .withMessageContaining("no x-amz-content-sha256");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "-1", "+1", "1e3", "0x1", "\u0661", "9223372036854775808", "12345678901234567890", "1,1"})
    void refusesHeadersWithALengthThatIsNone(String length) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder()
                        .headers(Map.of(
                                "x-amz-content-sha256",
                                Mode.UNSIGNED.headerValue(),
                                "x-amz-decoded-content-length",
                                length)))
                .withMessageContaining("x-amz-decoded-content-length");
    }

    @Test
    void refusesHeadersWhoseNamesDifferInCaseAlone() {
        Map<String, String> headers = new HashMap<>();
        headers.put("x-amz-content-sha256", Mode.UNSIGNED.headerValue());
        headers.put("X-Amz-Content-Sha256", Mode.SIGNED.headerValue());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder().headers(headers));
    }

    @Test
    void refusesHeadersThatContradictWhatTheBuilderWasTold() {
        Map<String, String> headers = Map.of(
                "x-amz-content-sha256",
                Mode.UNSIGNED.headerValue(),
                "x-amz-decoded-content-length",
                "11",
                "x-amz-trailer",
                CRC32);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder()
                        .decodedLength(12)
                        .headers(headers)
                        .build())
                .withMessageContaining("12 and 11");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder()
                        .headers(headers)
                        .trailer("a")
                        .build())
                .withMessageContaining("[a] and [x-amz-checksum-crc32]");
        AwsChunkedDecoder.builder()
                .decodedLength(11)
                .trailer(CRC32)
                .headers(headers)
                .build();
    }

    @Test
    void refusesASeedThatContradictsTheBuilder() {
        SignedHeaders seed = Client.seed(Mode.SIGNED_WITH_TRAILER, 11, CRC32);

        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        AwsChunkedDecoder.builder().decodedLength(12).build().decode(seed))
                .withMessageContaining("12 and 11");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> AwsChunkedDecoder.builder().trailer("a").build().decode(seed))
                .withMessageContaining("[a] and [x-amz-checksum-crc32]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunkedDecoder.builder()
                        .headers(Client.seed(Mode.SIGNED, 11).headers())
                        .build()
                        .decode(seed))
                .withMessageContaining("PAYLOAD and STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER");
    }

    @Test
    void refusesASeedOfAnUnsignedMode() {
        AwsChunkedDecoder decoder = AwsChunkedDecoder.builder().build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> decoder.decode(Client.seed(Mode.UNSIGNED, 11)))
                .withMessageContaining("STREAMING-UNSIGNED-PAYLOAD-TRAILER");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> decoder.decode(Client.sign(Map.of())))
                .withMessageContaining("UNSIGNED-PAYLOAD");
    }

    @Test
    void refusesToReadABodyAsUnsignedThatWasAnnouncedAsSigned() {
        AwsChunkedDecoder decoder = AwsChunkedDecoder.builder()
                .headers(Client.seed(Mode.SIGNED, 11).headers())
                .build();

        assertThatIllegalArgumentException()
                .isThrownBy(decoder::decode)
                .withMessageContaining("STREAMING-AWS4-HMAC-SHA256-PAYLOAD and STREAMING-UNSIGNED-PAYLOAD-TRAILER");
    }

    @Test
    void refusesTrailersInAModeThatHasNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> AwsChunkedDecoder.builder().trailer(CRC32).build().decode(Client.seed(Mode.SIGNED, 1)))
                .withMessageContaining("has no trailers")
                .withMessageContaining(CRC32);
    }

    // demand, errors, discard

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

    @Test
    void tellsNothingOfTheSeed() {
        SignedHeaders seed = Client.seed(Mode.SIGNED, 11);
        AwsChunkedDecoder decoder =
                AwsChunkedDecoder.builder().headers(seed.headers()).build();

        assertThat(decoder.toString()).contains("8192").doesNotContain(seed.signature());
    }

    private static void assertHeaderIsTaken(AwsChunkedDecoder.Builder builder, String size, boolean taken) {
        assertHeaderIsTaken(builder.build().decode(), size, taken);
    }

    private static void assertHeaderIsTaken(
            Function<Flux<ByteBuffer>, Flux<ByteBuffer>> decoding, String header, boolean taken) {
        assertRefused(
                decoding, (header + "\r\n").getBytes(US_ASCII), taken ? Reason.TRUNCATED : Reason.CHUNK_TOO_LARGE);
    }

    private static byte[] decode(Function<Flux<ByteBuffer>, Flux<ByteBuffer>> decoding, byte[] wire) {
        return Sliced.join(Flux.just(ByteBuffer.wrap(wire))
                .transform(decoding)
                .collectList()
                .block());
    }

    private static void assertRefused(
            Function<Flux<ByteBuffer>, Flux<ByteBuffer>> decoding, byte[] wire, Reason reason) {
        assertThatThrownBy(() -> decode(decoding, wire))
                .isInstanceOfSatisfying(
                        AwsChunkedException.class,
                        e -> assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason));
    }
}
