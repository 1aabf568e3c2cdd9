package io.github.reslice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

class ResliceTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int MIB = 1024 * 1024;

    @Test
    void refusesASizeBelowOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Reslice.toSize(0))
                .withMessage("The size must be from 1 to 1073741824 bytes, was 0");
    }

    @Test
    void refusesASizeAboveOneGibibyte() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Reslice.toSize(1024 * MIB + 1))
                .withMessage("The size must be from 1 to 1073741824 bytes, was 1073741825");
    }

    @Test
    void refusesALengthBelowZero() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Reslice.exactLength(-1))
                .withMessage("The length must be at least 0 bytes, was -1");
    }

    @Test
    void holdsTheBufferThatCompletesTheLengthUntilTheSourceHasEnded() {
        TestPublisher<ByteBuffer> source = TestPublisher.create();
        ByteBuffer three = ByteBuffer.allocate(3);

        StepVerifier.create(source.flux().transform(Reslice.exactLength(3)), 1)
                .then(() -> source.next(three))
                .expectNoEvent(Duration.ofMillis(50))
                .then(source::complete)
                .assertNext(piece -> assertThat(piece).isSameAs(three))
                .expectComplete()
                .verify(SOON);
    }

    @Test
    void refusesNoKind() {
        assertThatNullPointerException()
                .isThrownBy(() -> Reslice.toSize(null, 1))
                .withMessage("kind");
    }

    @Test
    void handsOnABufferOfTheSizeAsItself() {
        ByteBuffer buffer = ByteBuffer.allocate(4);

        assertThat(resliced(4, buffer)).singleElement().isSameAs(buffer);
    }

    @Test
    void handsOnAShorterLastBufferAsItself() {
        ByteBuffer first = ByteBuffer.allocate(4);
        ByteBuffer last = ByteBuffer.allocate(3);

        assertThat(resliced(4, first, last).get(1)).isSameAs(last);
    }

    @Test
    @SuppressWarnings("ByteBufferBackingArray") // it is the array's identity that counts
    void cutsALargerBufferIntoViews() {
        ByteBuffer buffer = ByteBuffer.wrap(new byte[] {0, 1, 2, 3, 4});

        List<ByteBuffer> pieces = resliced(2, buffer);

        assertThat(pieces).extracting(Payload::copy).containsExactly(new byte[] {0, 1}, new byte[] {2, 3}, new byte[] {4
        });
        assertThat(pieces).allSatisfy(piece -> assertThat(piece.array()).isSameAs(buffer.array()));
    }

    @Test
    void joinsOnlyWhatStraddlesTwoBuffers() {
        ByteBuffer first = ByteBuffer.wrap(new byte[] {0, 1, 2});
        ByteBuffer second = ByteBuffer.wrap(new byte[] {3, 4, 5, 6});

        List<ByteBuffer> pieces = resliced(2, first, second);

        assertThat(Payload.join(pieces)).containsExactly(0, 1, 2, 3, 4, 5, 6);
        assertThat(pieces.get(0).array()).isSameAs(first.array());
        assertThat(pieces.get(1).array()).isNotSameAs(first.array()).isNotSameAs(second.array());
        assertThat(pieces.get(2).array()).isSameAs(second.array());
        assertThat(pieces.get(3).array()).isSameAs(second.array());
    }

    @Test
    void givesAViewOfALastPieceThoughAnEmptyBufferFollows() {
        ByteBuffer buffer = ByteBuffer.allocate(3);

        assertThat(resliced(4, buffer, ByteBuffer.allocate(0))).singleElement().isSameAs(buffer);
    }

    @Test
    void joinsBuffersOfOneByte() {
        byte[] bytes = Payload.bytes(new Random(1), 10_000);
        ByteBuffer[] ones = new ByteBuffer[bytes.length];
        for (int i = 0; i < ones.length; i++) {
            ones[i] = ByteBuffer.wrap(bytes, i, 1);
        }

        List<ByteBuffer> pieces = resliced(4096, ones);

        assertThat(pieces).extracting(ByteBuffer::remaining).containsExactly(4096, 4096, 1808);
        assertThat(Payload.join(pieces)).isEqualTo(bytes);
    }

    @Test
    void leavesEmptyBuffersOut() {
        assertThat(resliced(4, ByteBuffer.allocate(0), ByteBuffer.allocate(0))).isEmpty();
    }

    @Test
    void keepsAnEmptyStreamEmpty() {
        assertThat(resliced(4)).isEmpty();
    }

    @Test
    void givesEveryBufferTheSizeWhateverTheSlicing() {
        for (int seed = 0; seed < Effort.cases(500, 20_000); seed++) {
            Random random = new Random(seed);
            byte[] bytes = Payload.bytes(random, random.nextInt(5000));
            int size = 1 + random.nextInt(1000);
            List<ByteBuffer> buffers = Payload.slice(random, bytes, 1 + random.nextInt(2000));

            List<ByteBuffer> pieces = resliced(size, buffers.toArray(ByteBuffer[]::new));

            assertThat(Payload.join(pieces)).as("seed %d", seed).isEqualTo(bytes);
            assertThat(pieces).as("seed %d", seed).hasSize((bytes.length + size - 1) / size);
            for (int i = 0; i < pieces.size() - 1; i++) {
                assertThat(pieces.get(i).remaining()).as("seed %d", seed).isEqualTo(size);
            }
        }
    }

    @Test
    void neverTouchesTheSourcesBuffers() {
        for (int seed = 0; seed < Effort.cases(100, 2000); seed++) {
            Random random = new Random(seed);
            byte[] bytes = Payload.bytes(random, 3000);
            List<ByteBuffer> buffers = Payload.slice(random, bytes, 700);
            List<String> before = buffers.stream().map(ResliceTest::state).toList();

            Flux.fromIterable(buffers)
                    .transform(Reslice.toSize(1 + random.nextInt(500)))
                    .doOnNext(piece ->
                            assertThat(buffers.stream().map(ResliceTest::state)).isEqualTo(before))
                    .blockLast();

            assertThat(buffers.stream().map(ResliceTest::state))
                    .as("seed %d", seed)
                    .isEqualTo(before);
            assertThat(Payload.join(buffers)).as("seed %d", seed).isEqualTo(bytes);
        }
    }

    @Test
    void slicesTheSameBuffersInTwoStreamsAtOnce() {
        byte[] bytes = Payload.bytes(new Random(1), 100_000);
        List<ByteBuffer> buffers = Payload.slice(new Random(2), bytes, 999);
        Flux<byte[]> joined = Flux.fromIterable(buffers)
                .transform(Reslice.toSize(500))
                .collectList()
                .map(Payload::join)
                .flux();

        List<byte[]> results = Flux.merge(
                        joined.subscribeOn(reactor.core.scheduler.Schedulers.parallel()),
                        joined.subscribeOn(reactor.core.scheduler.Schedulers.parallel()))
                .collectList()
                .block(SOON);

        assertThat(results).containsExactly(bytes, bytes);
    }

    @Test
    void givesOneItemOfAHugeBufferToADemandOfOne() {
        ByteBuffer huge = ByteBuffer.allocate(64 * MIB);
        List<ByteBuffer> pieces = new ArrayList<>();
        BaseSubscriber<ByteBuffer> receiver = receiver(pieces);

        Flux.just(huge).transform(Reslice.toSize(64 * 1024)).subscribe(receiver);
        receiver.request(1);

        assertThat(pieces).hasSize(1);
    }

    @Test
    void doesNotAllocateAHugeSizeForASmallBody() {
        long before = allocated();

        assertThat(resliced(1024 * MIB, ByteBuffer.allocate(10), ByteBuffer.allocate(10))
                        .get(0)
                        .remaining())
                .isEqualTo(20);

        assertThat(allocated() - before).isLessThan(MIB);
    }

    @Test
    void holdsNoMoreThanOneBufferOfAStreamThatIsTakenSlowly() {
        int buffers = 1024;
        ByteBuffer shared = ByteBuffer.allocateDirect(MIB);
        AtomicLong sent = new AtomicLong();
        AtomicLong taken = new AtomicLong();
        AtomicLong most = new AtomicLong();
        BaseSubscriber<ByteBuffer> receiver = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                request(1);
            }

            @Override
            protected void hookOnNext(ByteBuffer piece) {
                most.accumulateAndGet(sent.get() * MIB - taken.get(), Math::max);
                taken.addAndGet(piece.remaining());
                request(1);
            }
        };

        Flux.range(0, buffers)
                .map(i -> {
                    sent.incrementAndGet();
                    return shared.duplicate();
                })
                .transform(Reslice.toSize(300_000))
                .subscribe(receiver);

        assertThat(taken).hasValue((long) buffers * MIB);
        // one incoming buffer, and the rest of the one before that is joined with it
        assertThat(most.get()).isLessThan(MIB + 300_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void discardsABufferAsItselfOrItsRest(int demand) {
        TestPublisher<ByteBuffer> upstream = TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);
        ByteBuffer buffer = ByteBuffer.wrap(new byte[] {0, 1, 2, 3, 4});
        List<ByteBuffer> discarded = new ArrayList<>();

        StepVerifier.create(
                        upstream.flux().transform(Reslice.toSize(2)).doOnDiscard(ByteBuffer.class, discarded::add),
                        demand)
                .then(() -> upstream.next(buffer))
                .expectNextCount(demand)
                .then(() -> upstream.error(new IllegalStateException("upstream")))
                .verifyErrorMessage("upstream");

        if (demand == 0) {
            assertThat(discarded).singleElement().isSameAs(buffer);
        } else {
            assertThat(discarded).extracting(Payload::copy).containsExactly(new byte[] {2, 3, 4});
        }
    }

    @Test
    void discardsNoJoinedPieceThatWasPolledAhead() {
        TestPublisher<ByteBuffer> upstream = TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);
        List<Object> discarded = new ArrayList<>();
        BaseSubscriber<ByteBuffer> receiver = receiver(new ArrayList<>());
        upstream.flux()
                .transform(Reslice.toSize(3))
                .doOnDiscard(ByteBuffer.class, discarded::add)
                .subscribe(receiver);

        receiver.request(1);
        upstream.next(ByteBuffer.allocate(4));
        upstream.next(ByteBuffer.allocate(1));
        upstream.complete(); // what is left of both is joined and polled ahead
        receiver.cancel();

        assertThat(discarded).isEmpty();
    }

    @Test
    void discardsAViewThatWasPolledAheadTogetherWithTheRest() {
        List<ByteBuffer> discarded = new ArrayList<>();
        BaseSubscriber<ByteBuffer> receiver = receiver(new ArrayList<>());
        Flux.just(ByteBuffer.wrap(new byte[] {0, 1, 2, 3, 4, 5, 6}))
                .transform(Reslice.toSize(2))
                .doOnDiscard(ByteBuffer.class, discarded::add)
                .subscribe(receiver);

        receiver.request(1); // the source is complete by then, so 2 and 3 are polled ahead
        receiver.cancel();

        assertThat(discarded).extracting(Payload::copy).containsExactly(new byte[] {2, 3, 4, 5, 6});
    }

    @Test
    void discardsAViewThatWasPolledAheadOfAJoinedPiece() {
        List<ByteBuffer> discarded = new ArrayList<>();
        List<ByteBuffer> pieces = new ArrayList<>();
        BaseSubscriber<ByteBuffer> receiver = receiver(pieces);
        Flux.just(ByteBuffer.wrap(new byte[] {0}), ByteBuffer.wrap(new byte[] {1, 2, 3, 4}))
                .transform(Reslice.toSize(2))
                .doOnDiscard(ByteBuffer.class, discarded::add)
                .subscribe(receiver);

        receiver.request(1); // the source is complete by then, so 2 and 3 are polled ahead
        receiver.cancel();

        assertThat(pieces).extracting(Payload::copy).containsExactly(new byte[] {0, 1});
        assertThat(discarded).extracting(Payload::copy).containsExactly(new byte[] {2, 3, 4});
    }

    private static List<ByteBuffer> resliced(int size, ByteBuffer... buffers) {
        return Flux.fromArray(buffers)
                .transform(Reslice.toSize(size))
                .collectList()
                .blockOptional()
                .orElse(Collections.emptyList());
    }

    private static BaseSubscriber<ByteBuffer> receiver(List<ByteBuffer> pieces) {
        return new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {}

            @Override
            protected void hookOnNext(ByteBuffer piece) {
                pieces.add(piece);
            }
        };
    }

    private static String state(ByteBuffer buffer) {
        return buffer.toString(); // position, limit and capacity
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }
}
