package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.AwsChunkedDecoder;
import io.github.reslice.awschunked.AwsChunkedException;
import io.github.reslice.awschunked.Client;
import io.github.reslice.awschunked.Mode;
import io.github.reslice.sigv4.SignedHeaders;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** The decoder over Spring's buffers, pooled or not, each of which is released exactly once. */
class DataBuffersDecodeTest {

    private static final int CHUNK = 8192;
    private static final int[] SIZES = {1, 100, 5_000, 33_333, 200_000};
    private static final AwsChunkedDecoder DECODER = AwsChunkedDecoder.builder().build();
    private static final AwsChunkedDecoder HOLDING =
            AwsChunkedDecoder.builder().holdChunkUntilVerified().build();

    private final byte[] payload = new byte[50_000];
    private final SignedHeaders seed = Client.seed(Mode.SIGNED, payload.length);

    private static final DataBufferFactory FACTORY = new NettyDataBufferFactory(PooledByteBufAllocator.DEFAULT);

    DataBuffersDecodeTest() {
        new Random(4).nextBytes(payload);
    }

    static Stream<ByteBufAllocator> allocators() {
        return Stream.of(PooledByteBufAllocator.DEFAULT, ByteBufAllocator.DEFAULT, UnpooledByteBufAllocator.DEFAULT);
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void decodesAnUnsignedBodyInPooledBuffers(ByteBufAllocator allocator) throws InterruptedException {
        assertDecodes(allocator, Client.body(payload, CHUNK), DataBuffers.decode(DECODER));
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void decodesASignedBodyInPooledBuffers(ByteBufAllocator allocator) throws InterruptedException {
        assertDecodes(allocator, Client.signedBody(seed, payload, CHUNK), DataBuffers.decode(DECODER, seed, FACTORY));
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void decodesASignedBodyInHeldPooledBuffers(ByteBufAllocator allocator) throws InterruptedException {
        assertDecodes(allocator, Client.signedBody(seed, payload, CHUNK), DataBuffers.decode(HOLDING, seed, FACTORY));
    }

    private void assertDecodes(
            ByteBufAllocator allocator, byte[] wire, Function<Flux<DataBuffer>, Flux<DataBuffer>> decoding)
            throws InterruptedException {
        for (int size : SIZES) {
            TrackedBuffers buffers = new TrackedBuffers(allocator);

            assertThat(bytes(buffers.slicesOf(wire, size).transform(decoding))).isEqualTo(payload);
            buffers.assertAllReleased();
        }
    }

    @Test
    void decodesBuffersThatAreNotPooled() {
        byte[] wire = Client.signedBody(seed, payload, CHUNK);
        for (int size : SIZES) {
            Flux<DataBuffer> source = DataBufferUtils.readInputStream(
                    () -> new ByteArrayInputStream(wire), DefaultDataBufferFactory.sharedInstance, size);

            assertThat(bytes(source.transform(DataBuffers.decode(HOLDING, seed, FACTORY))))
                    .isEqualTo(payload);
        }
    }

    @Test
    void handsOnTheSameObjectWhereItFits() {
        TrackedBuffers buffers = new TrackedBuffers(ByteBufAllocator.DEFAULT);
        byte[] wire = Client.body(payload, 50_000);
        int header = "c350\r\n".length();
        DataBuffer data = buffers.of(wire, header, 1000);

        List<DataBuffer> pieces = Flux.just(buffers.of(wire, 0, header), data)
                .concatWith(buffers.slicesOf(Arrays.copyOfRange(wire, header + 1000, wire.length), 100_000))
                .transform(DataBuffers.decode(DECODER))
                .collectList()
                .block();

        assertThat(pieces).hasSize(2);
        assertThat(pieces.get(0)).isSameAs(data);
        pieces.forEach(DataBufferUtils::release);
        assertThat(buffers.unreleased()).isZero();
    }

    @Test
    void releasesAllWhenTheBodyIsRefused() throws InterruptedException {
        byte[] wire = Client.signedBody(seed, payload, CHUNK);
        wire[20_000] ^= 1;
        for (AwsChunkedDecoder decoder : List.of(DECODER, HOLDING)) {
            for (int size : SIZES) {
                TrackedBuffers buffers = new TrackedBuffers(PooledByteBufAllocator.DEFAULT);
                StepVerifier.create(buffers.slicesOf(wire, size)
                                .transform(DataBuffers.decode(decoder, seed, FACTORY))
                                .doOnNext(DataBufferUtils::release))
                        .thenConsumeWhile(piece -> true)
                        .verifyError(AwsChunkedException.class);
                buffers.assertAllReleased();
            }
        }
    }

    @Test
    void releasesAllWhenCancelled() throws InterruptedException {
        byte[] wire = Client.signedBody(seed, payload, CHUNK);
        for (int pieces = 1; pieces < 6; pieces++) {
            for (AwsChunkedDecoder decoder : List.of(DECODER, HOLDING)) {
                TrackedBuffers buffers = new TrackedBuffers(PooledByteBufAllocator.DEFAULT);
                buffers.slicesOf(wire, 5_000)
                        .transform(DataBuffers.decode(decoder, seed, FACTORY))
                        .take(pieces)
                        .doOnNext(DataBufferUtils::release)
                        .blockLast();
                buffers.assertAllReleased();
            }
        }
    }

    @Test
    void theReceiversDiscardHookReleasesInstead() throws InterruptedException {
        byte[] wire = Client.signedBody(seed, payload, CHUNK);
        wire[20_000] ^= 1;
        TrackedBuffers buffers = new TrackedBuffers(PooledByteBufAllocator.DEFAULT);

        StepVerifier.create(buffers.slicesOf(wire, 5_000)
                        .transform(DataBuffers.decode(HOLDING, seed, FACTORY))
                        .doOnNext(DataBufferUtils::release)
                        .doOnDiscard(DataBuffer.class, DataBufferUtils::release))
                .thenConsumeWhile(piece -> true)
                .verifyError(AwsChunkedException.class);
        buffers.assertAllReleased();
    }

    private static byte[] bytes(Flux<DataBuffer> buffers) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        buffers.doOnNext(buffer -> {
                    byte[] bytes = new byte[buffer.readableByteCount()];
                    buffer.read(bytes);
                    all.writeBytes(bytes);
                    DataBufferUtils.release(buffer);
                })
                .blockLast();
        return all.toByteArray();
    }
}
