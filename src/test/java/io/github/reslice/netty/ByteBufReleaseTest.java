package io.github.reslice.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.AwsChunked;
import io.github.reslice.AwsChunkedDecoder;
import io.github.reslice.Transfer;
import io.github.reslice.awschunked.Seed;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.SignedHeaders;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;

/**
 * Every buffer, the source's and the framing's, is released exactly once, wherever a body stops. A second release is an error of
 * Netty's, which would be dropped; so none may be dropped.
 */
@ExtendWith(NoLeaks.class)
class ByteBufReleaseTest {

    private static final int LENGTH = 50_000;
    private static final int SIZE = 3_000;
    private static final AwsChunked CHUNKED =
            AwsChunked.builder().chunkSize(8192).build();
    private static final byte[] PAYLOAD = payload();

    private final List<Throwable> dropped = new ArrayList<>();

    private static byte[] payload() {
        byte[] payload = new byte[LENGTH];
        new Random(6).nextBytes(payload);
        return payload;
    }

    /** What a body goes through; the encoders may be told another length than the right one. */
    enum Operator {
        KNOWN_LENGTH {
            @Override
            Function<Flux<ByteBuf>, Flux<ByteBuf>> of(long length, ByteBufAllocator allocator) {
                return ByteBufs.encode(CHUNKED, length, allocator);
            }
        },
        UNKNOWN_LENGTH {
            @Override
            Function<Flux<ByteBuf>, Flux<ByteBuf>> of(long length, ByteBufAllocator allocator) {
                return ByteBufs.encode(CHUNKED, allocator);
            }
        },
        SIGNED {
            @Override
            Function<Flux<ByteBuf>, Flux<ByteBuf>> of(long length, ByteBufAllocator allocator) {
                SignedHeaders seed = Seed.of(CHUNKED.signed().headers(length));
                return ByteBufs.encode(CHUNKED.signed(), length, seed);
            }
        },
        ROUND_TRIP {
            @Override
            Function<Flux<ByteBuf>, Flux<ByteBuf>> of(long length, ByteBufAllocator allocator) {
                AwsChunkedDecoder decoder = AwsChunkedDecoder.builder()
                        .trailer("x-amz-checksum-crc32")
                        .build();
                return body -> body.transform(ByteBufs.encode(CHUNKED, length, allocator))
                        .transform(ByteBufs.decode(decoder));
            }
        },
        TO_SIZE {
            @Override
            Function<Flux<ByteBuf>, Flux<ByteBuf>> of(long length, ByteBufAllocator allocator) {
                return ByteBufs.toSize(5_000);
            }
        },
        TAP {
            @Override
            Function<Flux<ByteBuf>, Flux<ByteBuf>> of(long length, ByteBufAllocator allocator) {
                return ByteBufs.tap(ChecksumAlgorithm.CRC32C, value -> {});
            }
        };

        abstract Function<Flux<ByteBuf>, Flux<ByteBuf>> of(long length, ByteBufAllocator allocator);
    }

    static Stream<Arguments> all() {
        return Stream.of(Operator.values()).flatMap(ByteBufReleaseTest::withAllocators);
    }

    static Stream<Arguments> holdingTheLength() {
        return Stream.of(Operator.KNOWN_LENGTH, Operator.SIGNED, Operator.ROUND_TRIP)
                .flatMap(ByteBufReleaseTest::withAllocators);
    }

    private static Stream<Arguments> withAllocators(Operator operator) {
        return Stream.of(
                        PooledByteBufAllocator.DEFAULT,
                        new AdaptiveByteBufAllocator(),
                        UnpooledByteBufAllocator.DEFAULT)
                .map(allocator -> Arguments.of(operator, allocator));
    }

    @BeforeEach
    void watchForDroppedErrors() {
        Hooks.onErrorDropped(dropped::add);
    }

    @AfterEach
    void noErrorWasDropped() {
        Hooks.resetOnErrorDropped();
        assertThat(dropped).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("all")
    void onSuccess(Operator operator, ByteBufAllocator allocator) {
        TrackedAllocator tracked = new TrackedAllocator(allocator);

        String end = new Transfer<ByteBuf>(Integer.MAX_VALUE, ByteBuf::release)
                .run(tracked.buffers(PAYLOAD, SIZE).transform(operator.of(LENGTH, tracked.allocator())));

        assertThat(end).isEqualTo("completed");
        assertThat(tracked.live()).isZero();
    }

    @ParameterizedTest
    @MethodSource("all")
    void whenCancelledAfterAnyPiece(Operator operator, ByteBufAllocator allocator) {
        String end = "cancelled";
        for (int pieces = 0; end.equals("cancelled"); pieces++) {
            TrackedAllocator tracked = new TrackedAllocator(allocator);

            end = new Transfer<ByteBuf>(pieces, ByteBuf::release)
                    .run(tracked.buffers(PAYLOAD, SIZE).transform(operator.of(LENGTH, tracked.allocator())));

            assertThat(tracked.live()).as("after %d pieces", pieces).isZero();
        }
        assertThat(end).isEqualTo("completed");
    }

    @ParameterizedTest
    @MethodSource("all")
    void whenTheSourceFailsAfterAnyBuffer(Operator operator, ByteBufAllocator allocator) {
        for (int buffers = 0; buffers <= LENGTH / SIZE; buffers++) {
            TrackedAllocator tracked = new TrackedAllocator(allocator);
            Flux<ByteBuf> source = tracked.buffers(PAYLOAD, SIZE)
                    .take(buffers)
                    .concatWith(Flux.error(new IOException("the disk is gone")));

            String end = new Transfer<ByteBuf>(Integer.MAX_VALUE, ByteBuf::release)
                    .run(source.transform(operator.of(LENGTH, tracked.allocator())));

            assertThat(end).isEqualTo("the disk is gone");
            assertThat(tracked.live()).as("after %d buffers", buffers).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("holdingTheLength")
    void whenTheBodyIsTooLongAtAnyBuffer(Operator operator, ByteBufAllocator allocator) {
        for (int declared = 0; declared < LENGTH; declared += SIZE / 2) {
            TrackedAllocator tracked = new TrackedAllocator(allocator);

            String end = new Transfer<ByteBuf>(Integer.MAX_VALUE, ByteBuf::release)
                    .run(tracked.buffers(PAYLOAD, SIZE).transform(operator.of(declared, tracked.allocator())));

            assertThat(end).startsWith("The body is longer than declared");
            assertThat(tracked.live()).as("declared %d", declared).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("holdingTheLength")
    void whenTheBodyIsTooShort(Operator operator, ByteBufAllocator allocator) {
        TrackedAllocator tracked = new TrackedAllocator(allocator);

        String end = new Transfer<ByteBuf>(Integer.MAX_VALUE, ByteBuf::release)
                .run(tracked.buffers(PAYLOAD, SIZE).transform(operator.of(LENGTH + 1, tracked.allocator())));

        assertThat(end).startsWith("The body is shorter than declared");
        assertThat(tracked.live()).isZero();
    }

    @ParameterizedTest
    @MethodSource("all")
    void whenTheReceiversHookReleasesInstead(Operator operator, ByteBufAllocator allocator) {
        for (int pieces = 0; pieces < 20; pieces++) {
            TrackedAllocator tracked = new TrackedAllocator(allocator);

            new Transfer<ByteBuf>(pieces, ByteBuf::release)
                    .run(tracked.buffers(PAYLOAD, SIZE)
                            .transform(operator.of(LENGTH, tracked.allocator()))
                            .doOnDiscard(ByteBuf.class, ByteBuf::release));

            assertThat(tracked.live()).as("after %d pieces", pieces).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void whenAnotherThreadReleasesThePieces(Operator operator, ByteBufAllocator allocator) throws InterruptedException {
        TrackedAllocator tracked = new TrackedAllocator(allocator);
        ExecutorService other = Executors.newSingleThreadExecutor();

        String end = new Transfer<ByteBuf>(Integer.MAX_VALUE, piece -> other.execute(piece::release))
                .run(tracked.buffers(PAYLOAD, SIZE).transform(operator.of(LENGTH, tracked.allocator())));
        other.shutdown();

        assertThat(other.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(end).isEqualTo("completed");
        assertThat(tracked.live()).isZero();
    }

    @ParameterizedTest
    @MethodSource("all")
    void whenPiecesAreReleasedLongAfterTheEnd(Operator operator, ByteBufAllocator allocator) {
        TrackedAllocator tracked = new TrackedAllocator(allocator);
        List<ByteBuf> kept = new ArrayList<>();

        new Transfer<ByteBuf>(Integer.MAX_VALUE, kept::add)
                .run(tracked.buffers(PAYLOAD, SIZE).transform(operator.of(LENGTH, tracked.allocator())));

        assertThat(kept).allSatisfy(piece -> assertThat(piece.refCnt()).isPositive());
        kept.forEach(ByteBuf::release);
        assertThat(tracked.live()).isZero();
    }

    /** Slices of one buffer may share its count: one release too many would free it under the others. */
    @Test
    void buffersThatShareACountAreReleasedOnceEach() {
        ByteBuf whole = UnpooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(PAYLOAD);
        Flux<ByteBuf> source = Flux.range(0, 50).map(i -> whole.retainedSlice(i * 1000, 1000));

        for (int pieces = 0; pieces < 50; pieces++) {
            new Transfer<ByteBuf>(pieces, ByteBuf::release).run(source.transform(ByteBufs.encode(CHUNKED, 50_000)));

            assertThat(whole.refCnt()).as("after %d pieces", pieces).isEqualTo(1);
        }
        whole.release();
    }

    /** The receiver's hook gets what is the user's, and never framing. */
    @Test
    void givesWhatItHoldsToTheReceiversHookAlone() {
        TrackedAllocator tracked = new TrackedAllocator(UnpooledByteBufAllocator.DEFAULT);
        List<ByteBuf> discarded = new ArrayList<>();

        new Transfer<ByteBuf>(2, ByteBuf::release)
                .run(tracked.buffers(PAYLOAD, 30_000)
                        .transform(ByteBufs.encode(CHUNKED, LENGTH, tracked.allocator()))
                        .doOnDiscard(ByteBuf.class, discarded::add));

        assertThat(discarded)
                .singleElement()
                .satisfies(rest -> assertThat(rest.readableBytes()).isEqualTo(30_000 - 8192));
        assertThat(tracked.live()).isEqualTo(1);
        discarded.forEach(ByteBuf::release);
    }
}
