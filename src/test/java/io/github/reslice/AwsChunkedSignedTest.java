package io.github.reslice;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.reslice.awschunked.DecodedLengthException;
import io.github.reslice.awschunked.ReferenceDecoder;
import io.github.reslice.awschunked.Seed;
import io.github.reslice.awschunked.Sliced;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.SignedHeaders;
import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Signed bodies; among them the two examples of the S3 API reference, to the byte. */
class AwsChunkedSignedTest {

    private static final int LENGTH = 66560;
    private static final String PLAIN_MODE = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
    private static final String TRAILER_MODE = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER";

    private final AwsChunked.Signed withoutTrailer =
            AwsChunked.builder().chunkSize(65536).noChecksum().build().signed();
    private final AwsChunked.Signed withTrailer = AwsChunked.builder()
            .chunkSize(65536)
            .checksum(ChecksumAlgorithm.CRC32C)
            .build()
            .signed();

    @Test
    void theReferencesExampleWithoutATrailerIsTheSame() {
        SignedHeaders seed = Seed.of(Map.of(
                "Content-Encoding", "aws-chunked",
                "Content-Length", "66824",
                "x-amz-content-sha256", PLAIN_MODE,
                "x-amz-decoded-content-length", "66560",
                "x-amz-storage-class", "REDUCED_REDUNDANCY"));
        byte[] wire = wire(withoutTrailer, seed);

        assertThat(seed.signature()).isEqualTo("4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9");
        assertThat(withoutTrailer.encodedLength(LENGTH)).isEqualTo(66824);
        assertThat(wire).hasSize(66824);
        assertThat(sha256(wire)).isEqualTo("86ba876e2a8457dbc4bfe805f155e5d0560d8328ce92b64e0c42d3e973fcfa62");
        assertThat(new String(wire, US_ASCII))
                .endsWith("0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9\r\n\r\n");
    }

    @Test
    void theReferencesExampleWithATrailerIsTheSame() {
        SignedHeaders seed = Seed.of(Map.of(
                "Content-Encoding", "aws-chunked",
                "x-amz-content-sha256", TRAILER_MODE,
                "x-amz-decoded-content-length", "66560",
                "x-amz-storage-class", "REDUCED_REDUNDANCY",
                "x-amz-trailer", "x-amz-checksum-crc32c"));
        byte[] wire = wire(withTrailer, seed);

        assertThat(seed.signature()).isEqualTo("106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e");
        assertThat(withTrailer.encodedLength(LENGTH)).isEqualTo(66946);
        assertThat(wire).hasSize(66946);
        assertThat(sha256(wire)).isEqualTo("dd4bd64a7debecf7307c9df56d8cbc09a990df0f62f5343c154a2a1c048b4f86");
        assertThat(new String(wire, US_ASCII))
                .endsWith(
                        "x-amz-checksum-crc32c:sOO8/Q==\r\nx-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n");
    }

    @Test
    void headersNameTheModeWithATrailer() {
        assertThat(withTrailer.headers(5))
                .containsOnly(
                        Map.entry("Content-Encoding", "aws-chunked"),
                        Map.entry("x-amz-content-sha256", TRAILER_MODE),
                        Map.entry("x-amz-decoded-content-length", "5"),
                        Map.entry("x-amz-trailer", "x-amz-checksum-crc32c"),
                        Map.entry("x-amz-sdk-checksum-algorithm", "CRC32C"));
    }

    @Test
    void headersNameTheModeWithoutATrailer() {
        assertThat(withoutTrailer.headers(5))
                .containsOnly(
                        Map.entry("Content-Encoding", "aws-chunked"),
                        Map.entry("x-amz-content-sha256", PLAIN_MODE),
                        Map.entry("x-amz-decoded-content-length", "5"));
    }

    @Test
    void headersOfAnUnknownLengthHaveNone() {
        assertThat(withTrailer.headers())
                .doesNotContainKey("x-amz-decoded-content-length")
                .containsEntry("x-amz-content-sha256", TRAILER_MODE);
    }

    @Test
    void aTrailerWithoutAChecksumIsSignedToo() {
        AwsChunked.Signed noted = AwsChunked.builder()
                .noChecksum()
                .trailer("x-note", 2, () -> "hi")
                .build()
                .signed();

        assertThat(noted.headers()).containsEntry("x-amz-content-sha256", TRAILER_MODE);
    }

    @Test
    void refusesANegativeLength() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> withTrailer.headers(-1))
                .withMessage("The decoded length must be 0 or more, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> withTrailer.encode(-1, Seed.any()))
                .withMessage("The decoded length must be 0 or more, was -1");
    }

    @Test
    void refusesASeedThatWasSignedForAnotherMode() {
        SignedHeaders unsigned = Seed.of(AwsChunked.builder().build().headers(5));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> withTrailer.encode(5, unsigned))
                .withMessageContaining(TRAILER_MODE)
                .withMessageContaining("STREAMING-UNSIGNED-PAYLOAD-TRAILER");
        SignedHeaders unsignedOfUnknownLength =
                Seed.of(AwsChunked.builder().build().headers());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> withTrailer.encode(unsignedOfUnknownLength))
                .withMessageContaining(TRAILER_MODE)
                .withMessageContaining("STREAMING-UNSIGNED-PAYLOAD-TRAILER");
    }

    @Test
    void refusesASeedWithoutTheTrailerThatTheBodyHas() {
        SignedHeaders other = Seed.of(withoutTrailer.headers(5));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> withTrailer.encode(5, other))
                .withMessageContaining(TRAILER_MODE)
                .withMessageEndingWith("was signed with " + PLAIN_MODE);
    }

    @Test
    void refusesASeedThatAnnouncesAnotherTrailer() {
        SignedHeaders other = Seed.of(AwsChunked.builder()
                .checksum(ChecksumAlgorithm.SHA512)
                .build()
                .signed()
                .headers(5));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> withTrailer.encode(5, other))
                .withMessageContaining("signed with x-amz-trailer: x-amz-checksum-")
                .withMessageEndingWith("was signed with x-amz-checksum-sha512");
    }

    @Test
    void refusesASeedThatAnnouncesATrailerForABodyWithoutOne() {
        Map<String, String> headers = new TreeMap<>(withoutTrailer.headers(5));
        headers.put("x-amz-trailer", "x-amz-checksum-crc32");
        SignedHeaders other = Seed.of(headers);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> withoutTrailer.encode(5, other))
                .withMessageContaining("signed without x-amz-trailer, as headers(...) gives");
    }

    @Test
    void refusesASeedThatWasSignedForAnotherLength() {
        SignedHeaders other = Seed.of(withTrailer.headers(6));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> withTrailer.encode(5, other))
                .withMessageContaining("x-amz-decoded-content-length: 5")
                .withMessageEndingWith("was signed with 6");
    }

    @Test
    void refusesASeedThatDeclaresNoLengthForABodyThatHasOne() {
        SignedHeaders other = Seed.of(withTrailer.headers());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> withTrailer.encode(5, other))
                .withMessageContaining("x-amz-decoded-content-length: 5")
                .withMessageEndingWith("was signed without");
    }

    @Test
    void holdsABodyToTheLengthThatItsSeedDeclares() {
        SignedHeaders seed = Seed.of(withTrailer.headers(6));

        assertThatExceptionOfType(DecodedLengthException.class)
                .isThrownBy(() -> bytes(hello().transform(withTrailer.encode(seed))));
    }

    @Test
    void refusesASeedWhoseLengthIsNone() {
        Map<String, String> headers = new TreeMap<>(withTrailer.headers());
        headers.put("x-amz-decoded-content-length", "five");
        SignedHeaders seed = Seed.of(headers);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> withTrailer.encode(seed))
                .withMessageContaining("five");
    }

    @Test
    void anUnknownLengthIsSignedToo() {
        SignedHeaders seed = Seed.of(withTrailer.headers());
        byte[] wire = bytes(hello().transform(withTrailer.encode(seed)));

        ReferenceDecoder.Body body = ReferenceDecoder.decode(wire);
        assertThat(body.payload()).asString().isEqualTo("hello");
        assertSigned(body, seed);
    }

    @Test
    void anUnknownLengthTakesATrailerThatCannotBeComputedHere() {
        AwsChunked.Signed signed = AwsChunked.builder()
                .noChecksum()
                .trailer("x-amz-checksum-crc16", 4, () -> "u8M=")
                .build()
                .signed();
        SignedHeaders seed = Seed.of(signed.headers());

        ReferenceDecoder.Body body = ReferenceDecoder.decode(bytes(hello().transform(signed.encode(seed))));

        assertThat(body.trailers()).containsEntry("x-amz-checksum-crc16", "u8M=");
    }

    @Test
    void aBodyThatIsTooLongFailsBeforeTheZeroChunk() {
        assertFailsBeforeTheZeroChunk(4, "longer");
    }

    @Test
    void aBodyThatIsTooShortFailsBeforeTheZeroChunk() {
        assertFailsBeforeTheZeroChunk(6, "shorter");
    }

    private void assertFailsBeforeTheZeroChunk(long length, String how) {
        List<ByteBuffer> pieces = new ArrayList<>();
        Flux<ByteBuffer> body = hello().transform(withTrailer.encode(length, Seed.of(withTrailer.headers(length))));

        assertThatExceptionOfType(DecodedLengthException.class)
                .isThrownBy(() -> body.doOnNext(pieces::add).blockLast())
                .withMessageContaining(how);
        assertThat(pieces).isEmpty();
    }

    @Test
    void aSecondSubscriptionIsTheSame() {
        Flux<ByteBuffer> body = Flux.just(ByteBuffer.allocate(100_000))
                .transform(withTrailer.encode(100_000, Seed.of(withTrailer.headers(100_000))));

        assertThat(bytes(body)).isEqualTo(bytes(body)).hasSize((int) withTrailer.encodedLength(100_000));
    }

    @Test
    void twoSubscriptionsAtOnceDoNotMix() {
        Flux<ByteBuffer> body = Flux.just(ByteBuffer.allocate(40_000), ByteBuffer.allocate(40_000))
                .transform(withTrailer.encode(80_000, Seed.of(withTrailer.headers(80_000))));
        byte[] alone = bytes(body);

        List<List<ByteBuffer>> both = Flux.zip(body, body)
                .collectList()
                .map(pairs -> List.of(
                        pairs.stream().map(pair -> pair.getT1()).toList(),
                        pairs.stream().map(pair -> pair.getT2()).toList()))
                .block();
        assertThat(both).allSatisfy(pieces -> assertThat(Sliced.join(pieces)).isEqualTo(alone));
    }

    @Test
    void takesTheKindOfBufferThatItIsGiven() {
        SignedHeaders seed = Seed.of(withTrailer.headers(5));

        assertThat(bytes(hello().transform(withTrailer.encode(BufferKind.BYTE_BUFFER, 5, seed))))
                .isEqualTo(bytes(hello().transform(withTrailer.encode(BufferKind.BYTE_BUFFER, seed))));
    }

    @Test
    void keepsItsSettingsInTheBuilder() {
        AwsChunked.Signed without = withTrailer.toBuilder().noChecksum().build().signed();

        assertThat(without).hasToString(withoutTrailer.toString());
    }

    @Test
    void showsItsSettings() {
        assertThat(withTrailer).hasToString("AwsChunked{chunkSize=65536, trailers=[x-amz-checksum-crc32c]}.signed()");
    }

    private static void assertSigned(ReferenceDecoder.Body body, SignedHeaders seed) {
        List<String> signatures = new ArrayList<>(body.signatures());
        signatures.add(body.trailers().get("x-amz-trailer-signature"));
        assertThat(signatures).isEqualTo(Seed.chain(seed).of(body));
    }

    private static byte[] wire(AwsChunked.Signed signed, SignedHeaders seed) {
        byte[] payload = new byte[LENGTH];
        Arrays.fill(payload, (byte) 'a');
        return bytes(Sliced.bySize(payload, 10_000).flux().transform(signed.encode(LENGTH, seed)));
    }

    private static Flux<ByteBuffer> hello() {
        return Flux.just(ByteBuffer.wrap("hello".getBytes(US_ASCII)));
    }

    private static byte[] bytes(Flux<ByteBuffer> body) {
        return Sliced.join(body.toIterable());
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
