package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.github.reslice.AwsChunked;
import io.github.reslice.AwsChunkedDecoder;
import io.github.reslice.awschunked.Client;
import io.github.reslice.awschunked.DecodedLengthException;
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
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.core.io.buffer.NettyDataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.core.io.buffer.PooledDataBuffer;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

class DataBuffersTest {

    private static final AwsChunked CHUNKED =
            AwsChunked.builder().chunkSize(8192).build();

    private final byte[] payload = new byte[100_000];

    DataBuffersTest() {
        new Random(4).nextBytes(payload);
    }

    static Stream<ByteBufAllocator> allocators() {
        return Stream.of(PooledByteBufAllocator.DEFAULT, ByteBufAllocator.DEFAULT, UnpooledByteBufAllocator.DEFAULT);
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
    @MethodSource("allocators")
    void encodesPooledBuffersOfKnownLength(ByteBufAllocator allocator) throws InterruptedException {
        TrackedBuffers buffers = new TrackedBuffers(allocator);

        byte[] wire = bytes(buffers.slicesOf(payload, 33_333)
                .transform(DataBuffers.encode(CHUNKED, payload.length, buffers.factory())));

        assertThat(wire).hasSize((int) CHUNKED.encodedLength(payload.length));
        assertThat(ReferenceDecoder.decode(wire).payload()).isEqualTo(payload);
        buffers.assertAllReleased();
    }

    @ParameterizedTest
    @MethodSource("allocators")
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
    @MethodSource("allocators")
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
    @MethodSource("allocators")
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
    @MethodSource("allocators")
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
    @MethodSource("allocators")
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

    @ParameterizedTest
    @MethodSource("allocators")
    void releasesWhatItHoldsOnError(ByteBufAllocator allocator) throws InterruptedException {
        TrackedBuffers buffers = new TrackedBuffers(allocator);

        assertThatThrownBy(() -> bytes(buffers.slicesOf(payload, 30_000)
                        .transform(DataBuffers.encode(CHUNKED, 70_000, buffers.factory()))))
                .isInstanceOf(DecodedLengthException.class);

        buffers.assertAllReleased();
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void releasesWhatItHoldsOnCancel(ByteBufAllocator allocator) throws InterruptedException {
        for (Function<TrackedBuffers, Function<Flux<DataBuffer>, Flux<DataBuffer>>> operator :
                List.<Function<TrackedBuffers, Function<Flux<DataBuffer>, Flux<DataBuffer>>>>of(
                        buffers -> DataBuffers.encode(CHUNKED, payload.length, buffers.factory()),
                        buffers -> DataBuffers.encode(CHUNKED, buffers.factory()),
                        buffers -> DataBuffers.toSize(50_000, buffers.factory()))) {
            for (int taken = 0; taken < 6; taken++) {
                TrackedBuffers buffers = new TrackedBuffers(allocator);
                Flux<DataBuffer> pieces = buffers.slicesOf(payload, 30_000).transform(operator.apply(buffers));
                BaseSubscriber<DataBuffer> receiver = new BaseSubscriber<>() {
                    @Override
                    protected void hookOnSubscribe(Subscription subscription) {}

                    @Override
                    protected void hookOnNext(DataBuffer piece) {
                        DataBufferUtils.release(piece);
                    }
                };
                pieces.subscribe(receiver);
                for (int i = 0; i < taken; i++) {
                    receiver.request(1);
                }
                receiver.cancel();

                if (taken > 0) {
                    buffers.assertAllReleased();
                }
            }
        }
    }

    @Test
    void releasesAJoinedPieceThatWasPolledAhead() {
        List<ByteBuf> joined = new ArrayList<>();
        NettyDataBufferFactory factory = new NettyDataBufferFactory(UnpooledByteBufAllocator.DEFAULT) {
            @Override
            public NettyDataBuffer wrap(ByteBuffer bytes) {
                NettyDataBuffer buffer = super.wrap(bytes);
                joined.add(buffer.getNativeBuffer());
                return buffer;
            }
        };
        TrackedBuffers buffers = new TrackedBuffers(UnpooledByteBufAllocator.DEFAULT);
        TestPublisher<DataBuffer> upstream = TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);

        StepVerifier.create(
                        upstream.flux()
                                .transform(DataBuffers.toSize(4, factory))
                                .doOnNext(DataBufferUtils::release),
                        1)
                .then(() -> upstream.next(buffers.of(payload, 0, 5)))
                .expectNextCount(1)
                .then(() -> upstream.next(buffers.of(payload, 5, 3)))
                .then(upstream::complete) // what is left of both is joined and polled ahead
                .thenCancel()
                .verify();

        assertThat(joined)
                .singleElement()
                .satisfies(buffer -> assertThat(buffer.refCnt()).isZero());
        assertThat(buffers.unreleased()).isZero();
    }

    @Test
    void givesWhatItHoldsToTheReceiversHookAlone() {
        TrackedBuffers buffers = new TrackedBuffers(UnpooledByteBufAllocator.DEFAULT);
        List<Object> discarded = new ArrayList<>();

        StepVerifier.create(
                        buffers.slicesOf(payload, 30_000)
                                .transform(DataBuffers.encode(CHUNKED, payload.length, buffers.factory()))
                                .doOnDiscard(DataBuffer.class, discarded::add),
                        2)
                .expectNextCount(2)
                .thenCancel()
                .verify();

        assertThat(discarded).hasSize(1);
        assertThat(((DataBuffer) discarded.get(0)).readableByteCount()).isEqualTo(30_000 - 8192);
        assertThat(buffers.unreleased()).isEqualTo(1);
    }

    /** The slices of one buffer share its count: a source's own hook, and one more that releases, would take it twice. */
    @Test
    void addsNoHookToThatOfTheSource() {
        int slices = 8;
        ByteBuf whole = UnpooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(payload, 0, slices * 1000);
        TrackedBuffers buffers = new TrackedBuffers(UnpooledByteBufAllocator.DEFAULT);
        Flux<DataBuffer> source = Flux.range(0, slices)
                .map(i -> (DataBuffer) buffers.factory().wrap(whole.retainedSlice(i * 1000, 1000)))
                .hide() // fused, it would make them one by one, and hold none
                .publishOn(Schedulers.immediate(), slices)
                .doOnDiscard(DataBuffer.class, DataBufferUtils::release);

        List<DataBuffer> taken = new ArrayList<>();
        BaseSubscriber<DataBuffer> receiver = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                subscription.request(2);
            }

            @Override
            protected void hookOnNext(DataBuffer piece) {
                taken.add(piece);
            }
        };
        source.transform(DataBuffers.encode(CHUNKED, payload.length, buffers.factory()))
                .subscribe(receiver);
        receiver.cancel();

        assertThat(taken).hasSize(2);
        assertThat(whole.refCnt())
                .as("the whole's own, and the piece that was taken")
                .isEqualTo(2);
        taken.forEach(DataBufferUtils::release);
        whole.release();
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

    @ParameterizedTest
    @MethodSource("allocators")
    void copiesToByteBuffersAndReleases(ByteBufAllocator allocator) throws InterruptedException {
        TrackedBuffers buffers = new TrackedBuffers(allocator);

        List<ByteBuffer> copies = buffers.slicesOf(payload, 9_999)
                .transform(DataBuffers.toByteBuffers())
                .doOnNext(copy -> assertThat(buffers.unreleased()).isZero())
                .collectList()
                .block();

        assertThat(buffers.count()).isEqualTo(11);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        copies.forEach(copy -> all.write(copy.array(), copy.arrayOffset() + copy.position(), copy.remaining()));
        assertThat(all.toByteArray()).isEqualTo(payload);
    }

    @Test
    void copiesABufferThatNobodyReleasesAsOftenAsItComes() {
        DataBuffer shared = DefaultDataBufferFactory.sharedInstance.wrap(ByteBuffer.wrap(payload, 5, 10));
        Flux<ByteBuffer> copies = Flux.just(shared).transform(DataBuffers.toByteBuffers());

        for (int i = 0; i < 2; i++) {
            assertThat(copies.blockLast()).isEqualTo(ByteBuffer.wrap(payload, 5, 10));
        }
    }

    @Test
    void leavesEmptyBuffersOutOfTheCopiesAndReleasesThem() {
        TrackedBuffers buffers = new TrackedBuffers(PooledByteBufAllocator.DEFAULT);
        DataBuffer empty = buffers.of(payload, 0, 0);

        StepVerifier.create(
                        Flux.just(empty, buffers.of(payload, 0, 3)).hide().transform(DataBuffers.toByteBuffers()), 1)
                .expectNextMatches(copy -> copy.remaining() == 3)
                .verifyComplete();
        assertThat(buffers.unreleased()).isZero();
    }

    @Test
    void copiesNoMoreThanIsAskedFor() {
        TrackedBuffers buffers = new TrackedBuffers(PooledByteBufAllocator.DEFAULT);

        StepVerifier.create(buffers.slicesOf(payload, 9_999).transform(DataBuffers.toByteBuffers()), 2)
                .expectNextCount(2)
                .then(() -> assertThat(buffers.count()).isEqualTo(2))
                .thenCancel()
                .verify();
        assertThat(buffers.unreleased()).isZero();
    }

    @Test
    void releasesABufferThatComesWhileItsCopyIsCancelled() {
        TrackedBuffers buffers = new TrackedBuffers(PooledByteBufAllocator.DEFAULT);
        TestPublisher<DataBuffer> source =
                TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);

        StepVerifier.create(source.flux().transform(DataBuffers.toByteBuffers()))
                .thenCancel()
                .verify();
        source.next(buffers.of(payload, 0, 3));

        assertThat(buffers.unreleased()).isZero();
    }

    @Test
    void releasesABufferThatCannotBeCopied() {
        TrackedBuffers buffers = new TrackedBuffers(PooledByteBufAllocator.DEFAULT);
        DataBuffer buffer = buffers.of(payload, 0, 3);
        DataBuffer unreadable = (DataBuffer) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PooledDataBuffer.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("toByteBuffer")) {
                        throw new IllegalStateException("unreadable");
                    }
                    return method.invoke(buffer, arguments);
                });

        StepVerifier.create(Flux.just(unreadable).transform(DataBuffers.toByteBuffers()))
                .verifyErrorMessage("unreadable");
        assertThat(buffers.unreleased()).isZero();
    }
}
