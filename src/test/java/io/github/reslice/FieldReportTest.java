package io.github.reslice;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.reslice.awschunked.DecodedLengthException;
import io.github.reslice.awschunked.ReferenceDecoder;
import io.github.reslice.awschunked.Sliced;
import io.github.reslice.checksum.ChecksumAlgorithm;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** What users of such uploads ran into elsewhere, by kind of fault. The numbers are those of the reports. */
class FieldReportTest {

    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;
    private static final String EMPTY_BODY = "0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n";
    private static final String HELLO_WORLD =
            "b\r\nhello world\r\n0\r\nx-amz-checksum-crc32:DUoRhQ==\r\n\r\n";

    private final AwsChunked chunked = AwsChunked.builder().build();

    @Test
    @DisplayName("R1: a body longer than declared fails before anything that lets a server accept it")
    void aLongerBodyFailsBeforeItIsAcceptable() {
        StepVerifier.create(Flux.just(ascii("hello world")).transform(chunked.encode(5)))
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(DecodedLengthException.class)
                        .hasMessageContaining("5 bytes were declared, 11 have come"))
                .verify();
    }

    @Test
    @DisplayName("R1: bytes after the declared length fail even when all that was declared has been sent")
    void bytesAfterTheDeclaredLengthFail() {
        StepVerifier.create(Flux.just(ascii("hello"), ascii(" world"))
                        .transform(chunked.encode(5))
                        .map(FieldReportTest::text))
                .expectNext("5\r\n", "hello")
                .verifyError(DecodedLengthException.class);
    }

    @Test
    @DisplayName("R2: a body shorter than declared is an error, neither a completion nor a hang")
    void aShorterBodyFails() {
        StepVerifier.create(Flux.just(ascii("hello world"))
                        .transform(chunked.encode(20))
                        .map(FieldReportTest::text))
                .expectNext("14\r\n", "hello world")
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(DecodedLengthException.class)
                        .hasMessageContaining("20 bytes were declared, 11 had come"))
                .verify(Duration.ofSeconds(30));
    }

    @Test
    @DisplayName("R3: an empty buffer between two full ones makes no chunk")
    void anEmptyBufferMakesNoChunk() {
        Flux<ByteBuffer> source = Flux.just(ascii("hello "), ascii(""), ascii("world"));

        assertThat(wire(source.transform(chunked.encode(11)))).isEqualTo(HELLO_WORLD);
        assertThat(wire(source.transform(chunked.encode()))).isEqualTo(HELLO_WORLD);
    }

    @Test
    @DisplayName("R4: declared 0 and nothing sent is the zero chunk and the trailer")
    void nothingIsOneZeroChunk() {
        assertThat(wire(Flux.<ByteBuffer>empty().transform(chunked.encode(0)))).isEqualTo(EMPTY_BODY);
    }

    @Test
    @DisplayName("R4: declared 0 and only empty buffers is the zero chunk and the trailer")
    void emptyBuffersAreOneZeroChunk() {
        assertThat(wire(Flux.just(ascii(""), ascii("")).transform(chunked.encode(0))))
                .isEqualTo(EMPTY_BODY);
    }

    @Test
    @DisplayName("R5: no length known and nothing sent is an empty object")
    void nothingOfUnknownLengthIsAnEmptyObject() {
        assertThat(wire(Flux.<ByteBuffer>empty().transform(chunked.encode()))).isEqualTo(EMPTY_BODY);
    }

    @Test
    @DisplayName("R6: read-only, direct and read-only direct buffers are as any other")
    void everyKindOfBufferIsAsAnyOther() {
        for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
            AwsChunked encoding = AwsChunked.builder().checksum(algorithm).build();
            ByteBuffer heap = ascii("hello world");
            ByteBuffer direct = ByteBuffer.allocateDirect(11).put(0, heap.array());
            String expected = wire(Flux.just(heap).transform(encoding.encode(11)));
            for (ByteBuffer buffer : List.of(heap.asReadOnlyBuffer(), direct, direct.asReadOnlyBuffer())) {
                assertThat(wire(Flux.just(buffer).transform(encoding.encode(11)))).isEqualTo(expected);
                assertThat(wire(Flux.just(buffer).transform(encoding.encode()))).isEqualTo(expected);
            }
        }
    }

    @Test
    @DisplayName("R7: a retry after half a body starts from nothing")
    void aRetryStartsFresh() {
        byte[] payload = payload(300 * KIB);
        List<ByteBuffer> pieces = new ArrayList<>();
        List<Integer> attempts = new ArrayList<>();
        Flux<ByteBuffer> source = Flux.defer(() -> {
            attempts.add(pieces.size());
            pieces.clear();
            Flux<ByteBuffer> all = Sliced.bySize(payload, 16 * KIB).flux();
            return attempts.size() > 1 ? all : all.take(10).concatWith(Flux.error(new IllegalStateException("reset")));
        });

        source.transform(chunked.encode(payload.length))
                .doOnNext(pieces::add)
                .retry(1)
                .blockLast();

        assertThat(attempts).hasSize(2).last().isNotEqualTo(0);
        assertThat(Sliced.join(pieces)).isEqualTo(encoded(payload));
    }

    @Test
    @DisplayName("R8: the same buffer subscribed twice in a row gives the same bytes")
    void aSecondSubscriptionGivesTheSame() {
        Flux<ByteBuffer> body = Flux.just(ascii("hello world")).transform(chunked.encode(11));

        assertThat(wire(body)).isEqualTo(HELLO_WORLD);
        assertThat(wire(body)).isEqualTo(HELLO_WORLD);
    }

    @Test
    @DisplayName("R8: the same buffer in two uploads at once gives the same bytes in both")
    void twoSubscriptionsAtOnceGiveTheSame() {
        byte[] payload = payload(300 * KIB);
        Flux<ByteBuffer> body = Flux.just(ByteBuffer.wrap(payload)).transform(chunked.encode(payload.length));
        OneByOne first = new OneByOne();
        OneByOne second = new OneByOne();
        body.subscribe(first);
        body.subscribe(second);
        while (!first.completed || !second.completed) {
            first.request(1);
            second.request(1);
        }

        assertThat(Sliced.join(first.pieces)).isEqualTo(encoded(payload));
        assertThat(Sliced.join(second.pieces)).isEqualTo(encoded(payload));
    }

    @Test
    @DisplayName("R9: buffers of 1 byte, of 16 KiB and one of all give the same bytes")
    void slicingDoesNotShowOnTheWire() {
        byte[] payload = payload(256 * KIB + 17);
        byte[] expected = encoded(payload);
        for (int size : new int[] {1, 16 * KIB, payload.length}) {
            Sliced sliced = Sliced.bySize(payload, size);
            assertThat(Sliced.join(collect(sliced.flux().transform(chunked.encode(payload.length)))))
                    .isEqualTo(expected);
            assertThat(Sliced.join(collect(sliced.flux().transform(chunked.encode())))).isEqualTo(expected);
        }
    }

    @Test
    @DisplayName("R9: one buffer of 64 MiB gives the same bytes as many of 16 KiB")
    void aHugeBufferGivesTheSame() {
        ByteBuffer huge = ByteBuffer.wrap(payload(64 * MIB));
        Flux<ByteBuffer> cut = Flux.range(0, 4 * KIB).map(i -> huge.slice(i * 16 * KIB, 16 * KIB));

        String expected = digest(cut.transform(chunked.encode(64 * MIB)));
        assertThat(digest(Flux.just(huge).transform(chunked.encode(64 * MIB)))).isEqualTo(expected);
        assertThat(digest(Flux.just(huge).transform(chunked.encode()))).isEqualTo(expected);
    }

    @Test
    @DisplayName("R10: of one 64 MiB buffer a receiver that asks for one item gets one")
    void oneItemIsOneItem() {
        OneByOne receiver = new OneByOne();
        Flux.just(ByteBuffer.allocate(64 * MIB))
                .transform(chunked.encode(64 * MIB))
                .subscribe(receiver);
        receiver.request(1);
        assertThat(receiver.pieces).hasSize(1);
        receiver.request(1);
        assertThat(receiver.pieces).hasSize(2);
    }

    @Test
    @DisplayName("R11: a slow receiver of a known length makes the source give one buffer at a time")
    void aSlowReceiverHoldsTheSourceBack() {
        assertThat(mostHeldBack(chunked.encode(32L * MIB))).isLessThanOrEqualTo(16 * KIB);
    }

    @Test
    @DisplayName("R11: a slow receiver of an unknown length makes the source give one chunk and one buffer at most")
    void aSlowReceiverOfAnUnknownLengthHoldsTheSourceBack() {
        assertThat(mostHeldBack(chunked.encode())).isLessThanOrEqualTo(128 * KIB + 16 * KIB);
    }

    @Test
    @DisplayName("R14: a source that fails halfway leaves no zero chunk and no trailer")
    void aFailingSourceLeavesNothingAcceptable() {
        Flux<ByteBuffer> source =
                Flux.just(ascii("hello ")).concatWith(Flux.error(new IllegalStateException("the disk is gone")));

        StepVerifier.create(source.transform(chunked.encode(11)).map(FieldReportTest::text))
                .expectNext("b\r\n", "hello ")
                .verifyErrorMessage("the disk is gone");
        StepVerifier.create(source.transform(chunked.encode())).verifyErrorMessage("the disk is gone");
    }

    @Test
    @DisplayName("R14: a source that fails after its last byte leaves no zero chunk and no trailer")
    void aSourceThatFailsAtTheEndLeavesNothingAcceptable() {
        Flux<ByteBuffer> source =
                Flux.just(ascii("hello world")).concatWith(Flux.error(new IllegalStateException("the disk is gone")));

        StepVerifier.create(source.transform(chunked.encode(11)).map(FieldReportTest::text))
                .expectNext("b\r\n", "hello world")
                .verifyErrorMessage("the disk is gone");
    }

    @Test
    @DisplayName("R15: after a cancel what is held is discarded, and nothing is emitted")
    void nothingFollowsACancel() {
        TestPublisher<ByteBuffer> source = TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
        List<ByteBuffer> discarded = new ArrayList<>();
        OneByOne receiver = new OneByOne();
        source.flux()
                .transform(chunked.encode(11))
                .doOnDiscard(ByteBuffer.class, discarded::add)
                .subscribe(receiver);
        ByteBuffer held = ascii("hello ");
        receiver.request(1);
        source.next(held);
        receiver.cancel();
        source.next(ascii("world")).complete();

        assertThat(receiver.pieces).singleElement().satisfies(piece -> assertThat(text(piece)).isEqualTo("b\r\n"));
        assertThat(receiver.completed).isFalse();
        assertThat(discarded.get(0)).isSameAs(held);
        source.assertCancelled();
    }

    @Test
    @DisplayName("R17: the Content-Length is the length of the body that is sent")
    void theLengthIsThatOfTheBody() {
        byte[] payload = payload(3 * 8 * KIB + 1);
        for (AwsChunked encoding : List.of(
                chunked,
                AwsChunked.builder().noChecksum().build(),
                AwsChunked.builder().chunkSize(8 * KIB).checksum(ChecksumAlgorithm.SHA512).build(),
                AwsChunked.builder().checksum(ChecksumAlgorithm.CRC32, "DUoRhQ==").build(),
                AwsChunked.builder().trailer("x-note", 4, () -> "late").build())) {
            for (int length : new int[] {0, 1, 8 * KIB - 1, 8 * KIB, 8 * KIB + 1, payload.length}) {
                Flux<ByteBuffer> source = Flux.just(ByteBuffer.wrap(payload, 0, length));
                byte[] wire = Sliced.join(collect(source.transform(encoding.encode(length))));
                assertThat(encoding.encodedLength(length)).isEqualTo(wire.length);
                assertThat(encoding.headers(length)).containsEntry("x-amz-decoded-content-length", "" + length);
                assertThat(ReferenceDecoder.decode(wire).payload()).hasSize(length);
            }
        }
    }

    /** The most bytes that the source has given and the receiver, which asks for one piece at a time, has not got. */
    private static long mostHeldBack(
            Function<Flux<ByteBuffer>, Flux<ByteBuffer>> encoding) {
        long[] given = {0};
        long most = 0;
        long got = 0;
        OneByOne receiver = new OneByOne();
        Flux.range(0, 2 * KIB)
                .map(i -> ByteBuffer.allocate(16 * KIB))
                .doOnNext(buffer -> given[0] += buffer.remaining())
                .transform(encoding)
                .subscribe(receiver);
        while (!receiver.completed) {
            receiver.request(1);
            most = Math.max(most, given[0] - got);
            for (ByteBuffer piece : receiver.pieces) {
                got += piece.remaining() < 100 ? 0 : piece.remaining();
            }
            receiver.pieces.clear();
        }
        return most;
    }

    private byte[] encoded(byte[] payload) {
        return Sliced.join(collect(Flux.just(ByteBuffer.wrap(payload)).transform(chunked.encode(payload.length))));
    }

    private static List<ByteBuffer> collect(Flux<ByteBuffer> body) {
        List<ByteBuffer> pieces = new ArrayList<>();
        body.doOnNext(pieces::add).blockLast();
        return pieces;
    }

    private static String wire(Flux<ByteBuffer> body) {
        return new String(Sliced.join(collect(body)), US_ASCII);
    }

    private static String digest(Flux<ByteBuffer> body) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            body.doOnNext(piece -> digest.update(piece.duplicate())).blockLast();
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] payload(int size) {
        byte[] payload = new byte[size];
        new Random(size).nextBytes(payload);
        return payload;
    }

    private static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(text.getBytes(US_ASCII));
    }

    private static String text(ByteBuffer piece) {
        return US_ASCII.decode(piece.duplicate()).toString();
    }

    /** Asks for nothing by itself. */
    private static final class OneByOne extends BaseSubscriber<ByteBuffer> {

        private final List<ByteBuffer> pieces = new ArrayList<>();
        private boolean completed;

        @Override
        protected void hookOnSubscribe(Subscription s) {}

        @Override
        protected void hookOnNext(ByteBuffer piece) {
            pieces.add(piece);
        }

        @Override
        protected void hookOnComplete() {
            completed = true;
        }
    }
}
