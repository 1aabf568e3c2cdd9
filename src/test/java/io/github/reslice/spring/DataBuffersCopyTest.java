package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.core.io.buffer.PooledDataBuffer;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** Copies into Java's own buffers, and what becomes of the buffers that are copied. */
class DataBuffersCopyTest {

    private final byte[] payload = new byte[100_000];

    DataBuffersCopyTest() {
        new Random(4).nextBytes(payload);
    }

    @ParameterizedTest
    @MethodSource("io.github.reslice.spring.TrackedBuffers#allocators")
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
