package io.github.reslice;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.awschunked.AwsChunkedException;
import io.github.reslice.awschunked.AwsChunkedException.Reason;
import io.github.reslice.awschunked.Client;
import io.github.reslice.awschunked.Mode;
import io.github.reslice.awschunked.Sliced;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.SignedHeaders;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
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
