package io.github.reslice.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.AwsChunked;
import io.github.reslice.AwsChunkedDecoder;
import io.github.reslice.awschunked.ReferenceDecoder;
import io.github.reslice.awschunked.Seed;
import io.github.reslice.awschunked.Sliced;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.ChecksumMismatchException;
import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.sigv4.SignedHeaders;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;

@ExtendWith(NoLeaks.class)
class ByteBufsTest {

    private static final int CHUNK = 8192;
    private static final AwsChunked CHUNKED =
            AwsChunked.builder().chunkSize(CHUNK).build();

    private final byte[] payload = new byte[100_000];

    ByteBufsTest() {
        new Random(8).nextBytes(payload);
    }

    static Stream<ByteBufAllocator> allocators() {
        return Stream.of(
                PooledByteBufAllocator.DEFAULT, new AdaptiveByteBufAllocator(), UnpooledByteBufAllocator.DEFAULT);
    }

    /** The bytes of all pieces, which are released. */
    private static byte[] bytes(Flux<ByteBuf> pieces) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        pieces.doOnNext(piece -> {
                    all.writeBytes(ByteBufUtil.getBytes(piece));
                    piece.release();
                })
                .blockLast();
        return all.toByteArray();
    }

    private static byte[] joined(Flux<ByteBuffer> pieces) {
        return Sliced.join(pieces.collectList().block());
    }

    private void assertSameAsOverByteBuffers(
            ByteBufAllocator allocator,
            Function<Flux<ByteBuf>, Flux<ByteBuf>> operator,
            Function<Flux<ByteBuffer>, Flux<ByteBuffer>> expected,
            byte[] input) {
        byte[] same = joined(Flux.just(ByteBuffer.wrap(input)).transform(expected));
        for (int seed = 0; seed < 60; seed++) {
            TrackedAllocator tracked = new TrackedAllocator(allocator);
            List<ByteBuf> buffers = SlicedByteBufs.atRandom(input, new Random(seed), tracked.allocator());

            assertThat(bytes(Flux.fromIterable(buffers).transform(operator)))
                    .as("seed %d", seed)
                    .isEqualTo(same);

            assertThat(tracked.live()).as("seed %d", seed).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void encodesTheSameBytesOfAKnownLength(ByteBufAllocator allocator) {
        assertSameAsOverByteBuffers(
                allocator,
                ByteBufs.encode(CHUNKED, payload.length, allocator),
                CHUNKED.encode(payload.length),
                payload);
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void encodesTheSameBytesOfAnUnknownLength(ByteBufAllocator allocator) {
        assertSameAsOverByteBuffers(allocator, ByteBufs.encode(CHUNKED, allocator), CHUNKED.encode(), payload);
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void signsTheSameBytes(ByteBufAllocator allocator) {
        AwsChunked.Signed signed = CHUNKED.signed();
        SignedHeaders seed = Seed.of(signed.headers(payload.length));
        assertSameAsOverByteBuffers(
                allocator, ByteBufs.encode(signed, payload.length, seed), signed.encode(payload.length, seed), payload);
        SignedHeaders withoutLength = Seed.of(signed.headers());
        assertSameAsOverByteBuffers(
                allocator, ByteBufs.encode(signed, withoutLength), signed.encode(withoutLength), payload);
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void decodesTheSamePayload(ByteBufAllocator allocator) {
        AwsChunkedDecoder decoder = AwsChunkedDecoder.builder()
                .decodedLength(payload.length)
                .trailer("x-amz-checksum-crc32")
                .build();
        byte[] wire = joined(Flux.just(ByteBuffer.wrap(payload)).transform(CHUNKED.encode(payload.length)));

        assertSameAsOverByteBuffers(allocator, ByteBufs.decode(decoder), decoder.decode(), wire);
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void decodesTheSameSignedPayloadInHeldChunks(ByteBufAllocator allocator) {
        AwsChunked.Signed signed = CHUNKED.signed();
        SignedHeaders seed = Seed.of(signed.headers(payload.length));
        AwsChunkedDecoder decoder =
                AwsChunkedDecoder.builder().holdChunkUntilVerified().build();
        byte[] wire = joined(Flux.just(ByteBuffer.wrap(payload)).transform(signed.encode(payload.length, seed)));

        assertSameAsOverByteBuffers(allocator, ByteBufs.decode(decoder, seed), decoder.decode(seed), wire);
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void makesEveryBufferTheSameSize(ByteBufAllocator allocator) {
        for (int seed = 0; seed < 60; seed++) {
            TrackedAllocator tracked = new TrackedAllocator(allocator);
            List<Integer> sizes = new ArrayList<>();

            byte[] same =
                    bytes(Flux.fromIterable(SlicedByteBufs.atRandom(payload, new Random(seed), tracked.allocator()))
                            .transform(ByteBufs.toSize(9_000))
                            .doOnNext(piece -> sizes.add(piece.readableBytes())));

            assertThat(same).as("seed %d", seed).isEqualTo(payload);
            assertThat(sizes.subList(0, 11)).as("seed %d", seed).containsOnly(9_000);
            assertThat(tracked.live()).as("seed %d", seed).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void tapsAndVerifiesTheSameChecksum(ByteBufAllocator allocator) {
        for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
            RunningChecksum expected = algorithm.start();
            expected.update(payload, 0, payload.length);
            String value = expected.base64();
            AtomicReference<String> tapped = new AtomicReference<>();

            bytes(Flux.fromIterable(SlicedByteBufs.atRandom(payload, new Random(3), allocator))
                    .transform(ByteBufs.tap(algorithm, tapped::set)));
            bytes(Flux.fromIterable(SlicedByteBufs.atRandom(payload, new Random(5), allocator))
                    .transform(ByteBufs.verify(algorithm, value)));

            assertThat(tapped).as("%s", algorithm).hasValue(value);
        }
    }

    @Test
    void refusesAStreamWithAnotherChecksum() {
        assertThatThrownBy(() -> bytes(Flux.just(Unpooled.wrappedBuffer(payload))
                        .transform(ByteBufs.verify(ChecksumAlgorithm.CRC32C, "AAAAAA=="))))
                .isInstanceOf(ChecksumMismatchException.class);
    }

    @Test
    void handsOnTheSameObjectWhereItFits() {
        ByteBuf buffer = Unpooled.directBuffer().writeBytes(payload, 0, 1000);

        List<ByteBuf> pieces = Flux.just(buffer)
                .transform(ByteBufs.encode(CHUNKED, 1000))
                .collectList()
                .block();

        assertThat(pieces).hasSize(3);
        assertThat(pieces.get(1)).isSameAs(buffer);
        pieces.forEach(ByteBuf::release);
    }

    @Test
    void copiesNoPayloadOfABufferThatStraddlesChunks() {
        ByteBuf buffer = Unpooled.directBuffer().writeBytes(payload, 0, 2 * CHUNK + 5);
        buffer.retain();

        List<ByteBuf> pieces = Flux.just(buffer)
                .transform(ByteBufs.encode(CHUNKED, 2 * CHUNK + 5))
                .collectList()
                .block();

        buffer.setZero(0, 2 * CHUNK + 5);
        assertThat(ByteBufUtil.getBytes(pieces.get(1))).isEqualTo(new byte[CHUNK]);
        assertThat(ByteBufUtil.getBytes(pieces.get(3))).isEqualTo(new byte[CHUNK]);
        pieces.forEach(ByteBuf::release);
        assertThat(buffer.refCnt()).isEqualTo(1);
        buffer.release();
    }

    @Test
    void readsFromTheReaderIndexOn() {
        ByteBuf buffer = Unpooled.wrappedBuffer(payload).skipBytes(99_990);

        byte[] wire = bytes(Flux.just(buffer).transform(ByteBufs.encode(CHUNKED, 10)));

        assertThat(ReferenceDecoder.decode(wire).payload()).isEqualTo(Arrays.copyOfRange(payload, 99_990, 100_000));
    }

    @Test
    void allHeadersOfFullChunksAreOneBufferOfTheAllocator() {
        TrackedAllocator tracked = new TrackedAllocator(PooledByteBufAllocator.DEFAULT);

        bytes(Flux.just(Unpooled.wrappedBuffer(payload))
                .transform(ByteBufs.encode(CHUNKED, payload.length, tracked.allocator())));

        assertThat(tracked.count())
                .as("first, repeated and last header, and the end")
                .isEqualTo(4);
        assertThat(tracked.live()).isZero();
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void aReceiverThatWritesIntoItsHeadersHarmsNoOtherUpload(ByteBufAllocator allocator) {
        Flux<ByteBuf> body = Flux.defer(() -> Flux.just(Unpooled.wrappedBuffer(payload)))
                .transform(ByteBufs.encode(CHUNKED, payload.length, allocator));
        byte[] expected = joined(Flux.just(ByteBuffer.wrap(payload)).transform(CHUNKED.encode(payload.length)));
        ByteArrayOutputStream other = new ByteArrayOutputStream();

        Flux.zip(body, body)
                .doOnNext(pieces -> {
                    other.writeBytes(ByteBufUtil.getBytes(pieces.getT2()));
                    ByteBuf mine = pieces.getT1();
                    if (mine.readableBytes() < 100) {
                        mine.setZero(0, mine.capacity());
                    }
                    mine.release();
                    pieces.getT2().release();
                })
                .blockLast();

        assertThat(other.toByteArray()).isEqualTo(expected);
        assertThat(bytes(body)).isEqualTo(expected);
    }

    @Test
    void countsAllTheMemoryThatASliceKeepsAlive() {
        ByteBufKind kind = new ByteBufKind(ByteBufAllocator.DEFAULT);
        ByteBuf whole = Unpooled.directBuffer(3000, 3000).writeBytes(payload, 0, 3000);
        ByteBuf slice = whole.slice(1000, 500).slice(100, 10);

        assertThat(kind.footprint(slice)).isEqualTo(3000);
        assertThat(kind.memory(slice)).isSameAs(kind.memory(whole));
        whole.release();
    }

    @Test
    void refusesANegativeLengthWhenBuilt() {
        assertThatThrownBy(() -> ByteBufs.encode(CHUNKED, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
    }

    @Test
    void refusesAMissingAllocatorWhenBuilt() {
        assertThatThrownBy(() -> ByteBufs.encode(CHUNKED, 1, null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("allocator");
    }
}
