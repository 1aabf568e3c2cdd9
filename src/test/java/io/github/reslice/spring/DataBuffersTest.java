package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.github.reslice.AwsChunked;
import io.github.reslice.AwsChunkedDecoder;
import io.github.reslice.awschunked.Client;
import io.github.reslice.awschunked.Mode;
import io.github.reslice.awschunked.ReferenceDecoder;
import io.github.reslice.awschunked.Seed;
import io.github.reslice.awschunked.Sliced;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.ChecksumMismatchException;
import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.sigv4.SignedHeaders;
import io.github.reslice.stage.BufferKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import reactor.core.publisher.Flux;

class DataBuffersTest {

    private static final AwsChunked CHUNKED =
            AwsChunked.builder().chunkSize(8192).build();

    private final byte[] payload = new byte[100_000];

    DataBuffersTest() {
        new Random(4).nextBytes(payload);
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

    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.TrackedBuffers#allocators")
    void encodesPooledBuffersOfKnownLength(ByteBufAllocator allocator) throws InterruptedException {
        TrackedBuffers buffers = new TrackedBuffers(allocator);

        byte[] wire = bytes(buffers.slicesOf(payload, 33_333)
                .transform(DataBuffers.encode(CHUNKED, payload.length, buffers.factory())));

        assertThat(wire).hasSize((int) CHUNKED.encodedLength(payload.length));
        assertThat(ReferenceDecoder.decode(wire).payload()).isEqualTo(payload);
        buffers.assertAllReleased();
    }

    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.TrackedBuffers#allocators")
    void encodesPooledBuffersOfUnknownLength(ByteBufAllocator allocator) throws InterruptedException {
        for (int size : new int[] {1, 100, 5000, 33_333}) {
            TrackedBuffers buffers = new TrackedBuffers(allocator);

            byte[] wire =
                    bytes(buffers.slicesOf(payload, size).transform(DataBuffers.encode(CHUNKED, buffers.factory())));

            assertThat(ReferenceDecoder.decode(wire).payload()).isEqualTo(payload);
            buffers.assertAllReleased();
        }
    }

    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.TrackedBuffers#allocators")
    void signsPooledBuffers(ByteBufAllocator allocator) throws InterruptedException {
        AwsChunked.Signed signed = CHUNKED.signed();
        SignedHeaders seed = Seed.of(signed.headers(payload.length));
        byte[] wire = Sliced.join(Flux.just(ByteBuffer.wrap(payload))
                .transform(signed.encode(payload.length, seed))
                .toIterable());
        for (int size : new int[] {1, 100, 5000, 33_333}) {
            TrackedBuffers buffers = new TrackedBuffers(allocator);

            assertThat(bytes(buffers.slicesOf(payload, size)
                            .transform(DataBuffers.encode(signed, payload.length, seed, buffers.factory()))))
                    .isEqualTo(wire);
            buffers.assertAllReleased();
        }
    }

    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.TrackedBuffers#allocators")
    void signsPooledBuffersOfUnknownLength(ByteBufAllocator allocator) throws InterruptedException {
        AwsChunked.Signed signed = CHUNKED.signed();
        TrackedBuffers buffers = new TrackedBuffers(allocator);

        byte[] wire = bytes(buffers.slicesOf(payload, 5000)
                .transform(DataBuffers.encode(signed, Seed.of(signed.headers()), buffers.factory())));

        assertThat(wire).hasSize((int) signed.encodedLength(payload.length));
        assertThat(ReferenceDecoder.decode(wire).payload()).isEqualTo(payload);
        buffers.assertAllReleased();
    }

    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.TrackedBuffers#allocators")
    void cutsPooledBuffersToSize(ByteBufAllocator allocator) throws InterruptedException {
        TrackedBuffers buffers = new TrackedBuffers(allocator);
        List<Integer> sizes = new ArrayList<>();

        byte[] same = bytes(buffers.slicesOf(payload, 7_777)
                .transform(DataBuffers.toSize(10_000, buffers.factory()))
                .doOnNext(buffer -> sizes.add(buffer.readableByteCount())));

        assertThat(same).isEqualTo(payload);
        assertThat(sizes).hasSize(10).containsOnly(10_000);
        buffers.assertAllReleased();
    }

    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.TrackedBuffers#allocators")
    void decodesWhatComesInNettysBuffers(ByteBufAllocator allocator) throws InterruptedException {
        SignedHeaders seed = Client.seed(Mode.SIGNED_WITH_TRAILER, payload.length, "x-amz-checksum-md5");
        byte[] wire = Client.signedBody(
                seed, payload, 8192, "x-amz-checksum-md5:" + SignedUpload.checksum(ChecksumAlgorithm.MD5, payload));
        AwsChunkedDecoder holding =
                AwsChunkedDecoder.builder().holdChunkUntilVerified().build();
        AwsChunkedDecoder passing = AwsChunkedDecoder.builder().build();

        for (int size : new int[] {1, 7, 1000, 3000, 10_000, 200_000}) {
            TrackedBuffers buffers = new TrackedBuffers(allocator);

            assertThat(bytes(buffers.slicesOf(wire, size)
                            .transform(DataBuffers.decode(holding, seed, buffers.factory()))))
                    .as("held, %d", size)
                    .isEqualTo(payload);
            assertThat(bytes(buffers.slicesOf(wire, size)
                            .transform(DataBuffers.decode(passing, seed, buffers.factory()))))
                    .as("passed, %d", size)
                    .isEqualTo(payload);
            buffers.assertAllReleased();
        }
    }

    @Test
    void joinsWithNettysBuffersWhatItGathers() {
        NettyDataBufferFactory factory = new NettyDataBufferFactory(PooledByteBufAllocator.DEFAULT);
        SignedHeaders seed = Client.seed(Mode.SIGNED, payload.length);
        AwsChunkedDecoder decoder =
                AwsChunkedDecoder.builder().holdChunkUntilVerified().build();

        DataBuffer joined = DataBufferUtils.join(new TrackedBuffers(PooledByteBufAllocator.DEFAULT)
                        .slicesOf(Client.signedBody(seed, payload, 8192), 3000)
                        .transform(DataBuffers.decode(decoder, seed, factory)))
                .block();

        assertThat(joined.readableByteCount()).isEqualTo(payload.length);
        DataBufferUtils.release(joined);
    }

    @Test
    void handsOnTheSameObjectWhereItFits() {
        TrackedBuffers buffers = new TrackedBuffers(ByteBufAllocator.DEFAULT);
        DataBuffer buffer = buffers.of(payload, 0, 1000);

        List<DataBuffer> pieces = Flux.just(buffer)
                .transform(DataBuffers.encode(CHUNKED, 1000, buffers.factory()))
                .collectList()
                .block();

        assertThat(pieces).hasSize(3);
        assertThat(pieces.get(1)).isSameAs(buffer);
        pieces.forEach(DataBufferUtils::release);
    }

    @Test
    void readsFromTheReadPositionOn() {
        DataBuffer buffer = DefaultDataBufferFactory.sharedInstance.wrap(payload.clone());
        buffer.readPosition(99_990);

        byte[] wire = bytes(
                Flux.just(buffer).transform(DataBuffers.encode(CHUNKED, 10, DefaultDataBufferFactory.sharedInstance)));

        assertThat(ReferenceDecoder.decode(wire).payload()).isEqualTo(Arrays.copyOfRange(payload, 99_990, 100_000));
    }

    @Test
    void encodesAllOfALentBufferThatItsOwnerReadsWhileItIsHeld() {
        byte[] wire = bytesOfALentBuffer(DataBuffers.encode(CHUNKED, DefaultDataBufferFactory.sharedInstance));

        assertThat(ReferenceDecoder.decode(wire).payload()).isEqualTo(Arrays.copyOf(payload, 2000));
    }

    @Test
    void cutsAllOfALentBufferThatItsOwnerReadsWhileItIsHeld() {
        byte[] same = bytesOfALentBuffer(DataBuffers.toSize(5000, DefaultDataBufferFactory.sharedInstance));

        assertThat(same).isEqualTo(Arrays.copyOf(payload, 2000));
    }

    private byte[] bytesOfALentBuffer(Function<Flux<DataBuffer>, Flux<DataBuffer>> operator) {
        DataBuffer lent = DefaultDataBufferFactory.sharedInstance.wrap(Arrays.copyOf(payload, 2000));
        Flux<DataBuffer> source = Flux.just(lent).concatWith(Flux.defer(() -> {
            lent.read(new byte[100]);
            return Flux.empty();
        }));
        return bytes(source.transform(operator));
    }

    @Test
    void readsACompositeBuffer() throws InterruptedException {
        TrackedBuffers buffers = new TrackedBuffers(ByteBufAllocator.DEFAULT);
        ByteBuf composite = Unpooled.compositeBuffer()
                .addComponent(true, Unpooled.directBuffer().writeBytes(payload, 0, 50_001))
                .addComponent(true, Unpooled.buffer().writeBytes(payload, 50_001, 49_999));

        byte[] wire = bytes(Flux.<DataBuffer>just(buffers.factory().wrap(composite))
                .transform(DataBuffers.encode(CHUNKED, payload.length, buffers.factory())));

        assertThat(ReferenceDecoder.decode(wire).payload()).isEqualTo(payload);
        assertThat(ReferenceDecoder.decode(wire).trailers())
                .isEqualTo(ReferenceDecoder.decode(
                                bytes(Flux.<DataBuffer>just(DefaultDataBufferFactory.sharedInstance.wrap(payload))
                                        .transform(DataBuffers.encode(
                                                CHUNKED, payload.length, DefaultDataBufferFactory.sharedInstance))))
                        .trailers());
        TrackedBuffers.awaitRefCount(composite, 0);
    }

    @Test
    void tapsAndVerifiesAChecksum() throws InterruptedException {
        TrackedBuffers buffers = new TrackedBuffers(ByteBufAllocator.DEFAULT);
        AtomicReference<String> value = new AtomicReference<>();

        bytes(buffers.slicesOf(payload, 9_999).transform(DataBuffers.tap(ChecksumAlgorithm.CRC32C, value::set)));
        bytes(buffers.slicesOf(payload, 7_777).transform(DataBuffers.verify(ChecksumAlgorithm.CRC32C, value.get())));

        assertThatThrownBy(() -> bytes(buffers.slicesOf(payload, 9_999)
                        .transform(DataBuffers.verify(ChecksumAlgorithm.CRC32C, "AAAAAA=="))))
                .isInstanceOfSatisfying(
                        ChecksumMismatchException.class,
                        e -> assertThat(e.actual()).isEqualTo(value.get()));
        buffers.assertAllReleased();
    }

    @Test
    void keepsAnErrorOfTheSource() {
        TrackedBuffers buffers = new TrackedBuffers(ByteBufAllocator.DEFAULT);

        assertThatThrownBy(() -> bytes(Flux.<DataBuffer>error(new IOException("gone"))
                        .transform(DataBuffers.encode(CHUNKED, 5, buffers.factory()))))
                .hasRootCauseMessage("gone");
    }

    @Test
    void refusesANegativeLengthWhenBuilt() {
        assertThatThrownBy(() -> DataBuffers.encode(CHUNKED, -1, DefaultDataBufferFactory.sharedInstance))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
    }

    @Test
    void allocatesLittleForABufferThatItReads() {
        ByteBuf direct = PooledByteBufAllocator.DEFAULT.directBuffer(16 * 1024).writeBytes(payload, 0, 16 * 1024);
        DataBuffer buffer = new NettyDataBufferFactory(PooledByteBufAllocator.DEFAULT).wrap(direct);
        DataBufferKind kind = new DataBufferKind(DefaultDataBufferFactory.sharedInstance);
        RunningChecksum checksum = ChecksumAlgorithm.CRC32C.start();
        BufferKind.Reader update = checksum::update;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int rounds = 20_000;
        for (int i = 0; i < rounds; i++) {
            kind.read(buffer, 0, 16 * 1024, update);
        }
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        for (int i = 0; i < rounds; i++) {
            kind.read(buffer, 0, 16 * 1024, update);
        }
        long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;

        assertThat(allocated / rounds).isLessThanOrEqualTo(128);
        assertThat(direct.readerIndex()).isZero();
        direct.release();
    }

    @Test
    void readsASliceOfAHeapBufferFromItsOwnStart() {
        ByteBuf heap = Unpooled.buffer().writeBytes(payload);
        DataBuffer slice = new NettyDataBufferFactory(UnpooledByteBufAllocator.DEFAULT).wrap(heap.slice(1000, 50_000));
        RunningChecksum expected = ChecksumAlgorithm.CRC32C.start();
        expected.update(payload, 1000, 50_000);
        AtomicReference<String> value = new AtomicReference<>();

        bytes(Flux.just(slice).transform(DataBuffers.tap(ChecksumAlgorithm.CRC32C, value::set)));

        assertThat(value).hasValue(expected.base64());
    }

    @Test
    void countsAllTheMemoryThatASliceKeepsAlive() {
        DataBufferKind kind = new DataBufferKind(DefaultDataBufferFactory.sharedInstance);
        ByteBuf whole = Unpooled.directBuffer(3000, 3000).writeBytes(payload, 0, 3000);
        NettyDataBufferFactory netty = new NettyDataBufferFactory(UnpooledByteBufAllocator.DEFAULT);
        DataBuffer slice = netty.wrap(whole.slice(1000, 500).slice(100, 10));
        DataBuffer onHeap = DefaultDataBufferFactory.sharedInstance.wrap(
                ByteBuffer.wrap(payload, 10, 5).slice());

        assertThat(kind.footprint(slice)).isEqualTo(3000);
        assertThat(kind.memory(slice)).isSameAs(kind.memory(netty.wrap(whole)));
        assertThat(kind.footprint(onHeap)).isEqualTo(payload.length);
        assertThat(kind.memory(onHeap)).isSameAs(payload);
        whole.release();
    }
}
