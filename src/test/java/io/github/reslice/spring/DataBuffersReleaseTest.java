package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.AwsChunked;
import io.github.reslice.awschunked.DecodedLengthException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.NettyDataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** Who gives back what an operator holds when it is cancelled, or fails. */
class DataBuffersReleaseTest {

    private static final AwsChunked CHUNKED =
            AwsChunked.builder().chunkSize(8192).build();

    private final byte[] payload = new byte[100_000];

    DataBuffersReleaseTest() {
        new Random(4).nextBytes(payload);
    }

    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.TrackedBuffers#allocators")
    void releasesWhatItHoldsOnError(ByteBufAllocator allocator) throws InterruptedException {
        TrackedBuffers buffers = new TrackedBuffers(allocator);

        assertThatThrownBy(() -> buffers.slicesOf(payload, 30_000)
                        .transform(DataBuffers.encode(CHUNKED, 70_000, buffers.factory()))
                        .doOnNext(DataBufferUtils::release)
                        .blockLast())
                .isInstanceOf(DecodedLengthException.class);

        buffers.assertAllReleased();
    }

    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.TrackedBuffers#allocators")
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
}
