package io.github.reslice;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.reslice.awschunked.Sliced;
import io.github.reslice.checksum.ChecksumAlgorithm;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

class AwsChunkedTest {

    private static final int CHUNK = 8192;

    private final AwsChunked defaults = AwsChunked.builder().build();

    @Test
    void chunksAre128KibibytesByDefault() {
        String wire = wire(defaults, new byte[128 * 1024 + 1]);

        assertThat(wire).startsWith("20000\r\n").contains("\r\n1\r\n");
    }

    @Test
    void theChecksumIsCrc32ByDefault() {
        assertThat(wire(defaults, hello())).endsWith("\r\n0\r\nx-amz-checksum-crc32:DUoRhQ==\r\n\r\n");
    }

    @Test
    void theChunkSizeMayBeS3sMinimum() {
        AwsChunked smallest = AwsChunked.builder().chunkSize(8192).build();

        assertThat(wire(smallest, new byte[8193])).startsWith("2000\r\n").contains("\r\n1\r\n");
    }

    @Test
    void theChunkSizeMayBeAGibibyte() {
        AwsChunked largest = AwsChunked.builder().chunkSize(1 << 30).build();

        assertThat(largest.encodedLength(1L << 31)).isEqualTo((1L << 31) + 2 * (8 + 4) + 36);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1, 8191, (1 << 30) + 1, Integer.MAX_VALUE})
    void refusesAChunkSizeOutOfBounds(int chunkSize) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunked.builder().chunkSize(chunkSize))
                .withMessage("The chunk size must be from 8192 (S3's minimum) to 1073741824 bytes, was " + chunkSize);
    }

    @Test
    void refusesANegativeLengthWhenTheOperatorIsBuilt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> defaults.encode(-1))
                .withMessage("The decoded length must be 0 or more, was -1");
    }

    @Test
    void refusesALengthThatOverflowsWhenTheOperatorIsBuilt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> defaults.encode(Long.MAX_VALUE))
                .withMessageContaining("2^63")
                .withMessageContaining("" + Long.MAX_VALUE);
    }

    @Test
    void refusesHeadersForANegativeLength() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> defaults.headers(-1))
                .withMessageContaining("was -1");
    }

    @Test
    void headersSayWhatTheBodyIs() {
        AwsChunked chunked =
                AwsChunked.builder().checksum(ChecksumAlgorithm.CRC32C).build();

        assertThat(chunked.headers(11))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "Content-Encoding", "aws-chunked",
                        "x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
                        "x-amz-decoded-content-length", "11",
                        "x-amz-trailer", "x-amz-checksum-crc32c",
                        "x-amz-sdk-checksum-algorithm", "CRC32C"));
    }

    @Test
    void headersWithoutALengthHaveNoDecodedLength() {
        assertThat(defaults.headers())
                .containsOnlyKeys(
                        "Content-Encoding", "x-amz-content-sha256", "x-amz-trailer", "x-amz-sdk-checksum-algorithm");
    }

    @Test
    void headersAreFoundInAnyCase() {
        assertThat(defaults.headers(11).get("content-encoding")).isEqualTo("aws-chunked");
        assertThat(defaults.headers(11).get("X-Amz-Decoded-Content-Length")).isEqualTo("11");
    }

    @Test
    void headersCannotBeChanged() {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> defaults.headers(11).put("a", "b"));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> defaults.headers().put("a", "b"));
    }

    @Test
    void withoutAChecksumNothingIsAnnounced() {
        assertThat(AwsChunked.builder().noChecksum().build().headers(11))
                .containsOnlyKeys("Content-Encoding", "x-amz-content-sha256", "x-amz-decoded-content-length");
    }

    @Test
    void withoutAChecksumTheZeroChunkEndsTheBody() {
        assertThat(wire(AwsChunked.builder().noChecksum().build(), hello())).isEqualTo("b\r\nhello world\r\n0\r\n\r\n");
    }

    @Test
    void aKnownChecksumIsSentUnchanged() {
        AwsChunked chunked = AwsChunked.builder()
                .checksum(ChecksumAlgorithm.CRC32C, "AAAAAA==") // not that of the body
                .build();

        assertThat(wire(chunked, hello())).isEqualTo("b\r\nhello world\r\n0\r\nx-amz-checksum-crc32c:AAAAAA==\r\n\r\n");
        assertThat(chunked.headers(11))
                .containsEntry("x-amz-trailer", "x-amz-checksum-crc32c")
                .containsEntry("x-amz-sdk-checksum-algorithm", "CRC32C");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "DUoRhQ", "DUoRhR==", "AAAA", "jSnVw/bqjr4=", "yZRlqg==-2", "DUo\nhQ==", "\u00e4UoRhQ=="})
    void refusesAKnownChecksumThatIsMalformed(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunked.builder().checksum(ChecksumAlgorithm.CRC32, value))
                .withMessageContaining("\"" + value + "\"");
    }

    @Test
    void theLastChecksumGivenCounts() {
        AwsChunked.Builder builder = AwsChunked.builder().checksum(ChecksumAlgorithm.CRC32C, "AAAAAA==");

        assertThat(wire(builder.checksum(ChecksumAlgorithm.CRC32).build(), hello()))
                .endsWith("x-amz-checksum-crc32:DUoRhQ==\r\n\r\n");
        assertThat(wire(builder.noChecksum().build(), hello())).endsWith("\r\n0\r\n\r\n");
    }

    @Test
    void noChecksumTakesBackAKnownOne() {
        AwsChunked chunked = AwsChunked.builder()
                .checksum(ChecksumAlgorithm.CRC32C, "AAAAAA==")
                .noChecksum()
                .build();

        assertThat(wire(chunked, hello())).endsWith("\r\n0\r\n\r\n");
        assertThat(chunked.headers()).containsOnlyKeys("Content-Encoding", "x-amz-content-sha256");
    }

    @Test
    void trailersFollowTheChecksumAndAreAnnounced() {
        AwsChunked chunked = AwsChunked.builder()
                .trailer("X-Second", 3, () -> "two")
                .trailer("x-first", 3, () -> "one")
                .build();

        assertThat(wire(chunked, hello()))
                .endsWith("\r\n0\r\nx-amz-checksum-crc32:DUoRhQ==\r\nx-second:two\r\nx-first:one\r\n\r\n");
        assertThat(chunked.headers(11)).containsEntry("x-amz-trailer", "x-amz-checksum-crc32,x-second,x-first");
    }

    @Test
    void aTrailersValueIsAskedForOnceInEverySubscription() {
        AtomicInteger asked = new AtomicInteger();
        AwsChunked chunked = AwsChunked.builder()
                .trailer("x-count", 1, () -> "" + asked.incrementAndGet())
                .build();
        Flux<ByteBuffer> body = Flux.just(ByteBuffer.wrap(hello())).transform(chunked.encode(11));

        assertThat(text(body)).endsWith("x-count:1\r\n\r\n");
        assertThat(text(body)).endsWith("x-count:2\r\n\r\n");
    }

    @Test
    void aTrailersValueIsAskedForWhenTheBodyHasEnded() {
        StringBuilder seen = new StringBuilder();
        AwsChunked chunked =
                AwsChunked.builder().trailer("x-seen", 11, seen::toString).build();
        Flux<ByteBuffer> source = Flux.just("hello", " ", "world")
                .doOnNext(seen::append)
                .map(word -> ByteBuffer.wrap(word.getBytes(US_ASCII)));

        assertThat(text(source.transform(chunked.encode(11)))).endsWith("x-seen:hello world\r\n\r\n");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "1", "333", "\r\n", " 2", "\u00e41"})
    void aLateValueThatDoesNotFitFailsBeforeTheZeroChunk(@Nullable String value) {
        assertFailsBeforeTheZeroChunk(() -> value, IllegalStateException.class);
    }

    @Test
    void aLateValueThatThrowsFailsBeforeTheZeroChunk() {
        assertFailsBeforeTheZeroChunk(
                () -> {
                    throw new UnsupportedOperationException("not now");
                },
                UnsupportedOperationException.class);
    }

    @Test
    void refusesTwoTrailersOfOneName() {
        AwsChunked.Builder builder =
                AwsChunked.builder().trailer("x-note", 1, () -> "1").trailer("X-Note", 1, () -> "2");

        assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining("x-note");
    }

    @Test
    void refusesTwoChecksums() {
        AwsChunked.Builder builder = AwsChunked.builder().trailer("x-amz-checksum-xxhash64", 12, () -> "RatnNLIeaWg=");

        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessageContaining("[x-amz-checksum-crc32, x-amz-checksum-xxhash64]");
    }

    @Test
    void takesAChecksumOfTheCallersOwnInPlaceOfAComputedOne() {
        AwsChunked chunked = AwsChunked.builder()
                .noChecksum()
                .trailer("x-amz-checksum-xxhash64", 12, () -> "RatnNLIeaWg=")
                .build();

        assertThat(wire(chunked, hello())).endsWith("\r\n0\r\nx-amz-checksum-xxhash64:RatnNLIeaWg=\r\n\r\n");
    }

    @Test
    void refusesTheTrailersSignatureAsATrailer() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunked.builder().trailer("X-Amz-Trailer-Signature", 64, () -> ""))
                .withMessageContaining("x-amz-trailer-signature");
    }

    @Test
    void refusesATrailersNameThatIsNoToken() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunked.builder().trailer("x note", 1, () -> "1"))
                .withMessageContaining("\"x note\"");
    }

    @Test
    void refusesATrailersLengthBelowZero() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsChunked.builder().trailer("x-note", -1, () -> ""))
                .withMessageContaining("was -1");
    }

    @Test
    @SuppressWarnings("NullAway") // what callers without a checker do
    void refusesNullWhenBuilt() {
        assertThatNullPointerException().isThrownBy(() -> AwsChunked.builder().checksum(null));
        assertThatNullPointerException().isThrownBy(() -> AwsChunked.builder().trailer("x-note", 1, null));
        assertThatNullPointerException().isThrownBy(() -> defaults.encode(null));
        assertThatNullPointerException().isThrownBy(() -> defaults.encode(null, 1));
    }

    @Test
    void toBuilderKeepsEverySetting() {
        AwsChunked original = AwsChunked.builder()
                .chunkSize(CHUNK)
                .checksum(ChecksumAlgorithm.CRC32C, "AAAAAA==")
                .trailer("x-note", 1, () -> "1")
                .build();
        AwsChunked copy = original.toBuilder().build();

        assertThat(wire(copy, new byte[CHUNK + 1])).isEqualTo(wire(original, new byte[CHUNK + 1]));
        assertThat(copy.headers(1)).isEqualTo(original.headers(1));
    }

    @Test
    void toBuilderLeavesTheOriginalAsItIs() {
        AwsChunked original = AwsChunked.builder().build();
        original.toBuilder().chunkSize(CHUNK).noChecksum().trailer("x-note", 1, () -> "1");

        assertThat(original.headers(1)).containsEntry("x-amz-trailer", "x-amz-checksum-crc32");
        assertThat(wire(original, hello())).endsWith("x-amz-checksum-crc32:DUoRhQ==\r\n\r\n");
    }

    @Test
    void aBuilderThatGoesOnLeavesWhatItBuiltAsItIs() {
        AwsChunked.Builder builder = AwsChunked.builder();
        AwsChunked built = builder.build();
        builder.chunkSize(CHUNK).trailer("x-note", 1, () -> "1");

        assertThat(wire(built, hello())).endsWith("x-amz-checksum-crc32:DUoRhQ==\r\n\r\n");
        assertThat(built.encodedLength(11)).isEqualTo(52);
        assertThat(built.headers()).containsEntry("x-amz-trailer", "x-amz-checksum-crc32");
    }

    @Test
    void whatAReceiverDoesToAHeaderDoesNotReachTheNextBody() {
        AwsChunked chunked = AwsChunked.builder().chunkSize(CHUNK).build();
        Flux<ByteBuffer> body = Flux.just(ByteBuffer.allocate(2 * CHUNK)).transform(chunked.encode(2 * CHUNK));
        String before = text(body);
        body.doOnNext(piece -> {
                    if (piece.isReadOnly()) {
                        piece.position(piece.limit());
                    }
                })
                .blockLast();

        assertThat(text(body)).isEqualTo(before);
    }

    @Test
    void framingCannotBeWrittenTo() {
        byte[] payload = new byte[2 * CHUNK + 1];
        Flux<ByteBuffer> body = Flux.just(ByteBuffer.wrap(payload))
                .transform(AwsChunked.builder().chunkSize(CHUNK).build().encode(payload.length));

        assertThat(body.map(ByteBuffer::isReadOnly).collectList().block())
                .containsExactly(true, false, true, false, true, false, true);
    }

    @Test
    void manyThreadsShareOne() throws InterruptedException, ExecutionException {
        AwsChunked shared = AwsChunked.builder().chunkSize(CHUNK).build();
        byte[] payload = new byte[100_000];
        new Random(8).nextBytes(payload);
        String expected = wire(shared, payload);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Boolean>> results = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                results.add(threads.submit(() -> {
                    boolean same = true;
                    for (int i = 0; i < 50; i++) {
                        same &= wire(shared, payload).equals(expected);
                    }
                    return same;
                }));
            }
            for (Future<Boolean> same : results) {
                assertThat(same.get()).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void assertFailsBeforeTheZeroChunk(
            Supplier<@Nullable String> value, Class<? extends Throwable> expected) {
        @SuppressWarnings("NullAway") // a supplier of the caller's may give null all the same
        AwsChunked chunked = AwsChunked.builder().trailer("x-note", 2, value).build();

        StepVerifier.create(Flux.just(ByteBuffer.wrap(hello()))
                        .transform(chunked.encode(11))
                        .map(AwsChunkedTest::text))
                .expectNext("b\r\n", "hello world")
                .verifyError(expected);
    }

    private static String wire(AwsChunked chunked, byte[] payload) {
        return text(Flux.just(ByteBuffer.wrap(payload)).transform(chunked.encode(payload.length)));
    }

    private static String text(Flux<ByteBuffer> body) {
        List<ByteBuffer> pieces = new ArrayList<>();
        body.doOnNext(pieces::add).blockLast();
        return new String(Sliced.join(pieces), US_ASCII);
    }

    private static String text(ByteBuffer piece) {
        return US_ASCII.decode(piece.duplicate()).toString();
    }

    private static byte[] hello() {
        return "hello world".getBytes(US_ASCII);
    }
}
