package io.github.reslice.spring;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.netty.NoLeaks;
import io.github.reslice.stage.Stage;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

@ExtendWith(NoLeaks.class)
class SmallPiecesTest {

    private static final DefaultDataBufferFactory HEAP = DefaultDataBufferFactory.sharedInstance;
    private static final DataBufferKind KIND = new DataBufferKind(HEAP);
    private static final int MOST = 8;

    private final TrackedBuffers pooled = new TrackedBuffers(PooledByteBufAllocator.DEFAULT);

    private static Flux<DataBuffer> joined(Flux<DataBuffer> pieces) {
        return pieces.transform(Stage.operator(KIND, () -> new SmallPieces<>(KIND, MOST)));
    }

    private static DataBuffer heap(String text) {
        return HEAP.wrap(text.getBytes(US_ASCII));
    }

    private DataBuffer pooled(String text) {
        return pooled.of(text.getBytes(US_ASCII), 0, text.length());
    }

    private static List<String> texts(String... pieces) {
        return joined(Flux.just(pieces).map(SmallPiecesTest::heap))
                .map(piece -> piece.toString(US_ASCII))
                .collectList()
                .block();
    }

    @Test
    void joinsUntilTheNextPieceWouldGoBeyond() {
        assertThat(texts("abc", "def", "gh", "i", "jkl", "mnop", "q")).containsExactly("abcdefgh", "ijklmnop", "q");
        assertThat(texts("abc", "def", "ghi", "j")).containsExactly("abcdef", "ghij");
    }

    @Test
    void givesWhatIsJoinedBeforeAPieceThatIsNotSmall() {
        assertThat(texts("abc", "12345", "def")).containsExactly("abc", "12345", "def");
    }

    @Test
    void fillsUpWhatIsJoinedIfMoreThanHalfTheSizeIsLeft() {
        assertThat(texts("abc", "1234567890", "def")).containsExactly("abc12345", "67890", "def");
        assertThat(texts("abc", "123456789", "def")).containsExactly("abc", "123456789", "def");
    }

    @Test
    void fillsUpNoFurtherThan256Bytes() {
        Flux<DataBuffer> pieces = Flux.just(heap("a".repeat(100)), heap("b".repeat(2_000)), heap("c".repeat(300)));

        assertThat(pieces.transform(Stage.operator(KIND, () -> new SmallPieces<>(KIND, 1_024)))
                        .map(DataBuffer::readableByteCount)
                        .collectList()
                        .block())
                .containsExactly(256, 1_844, 300);
    }

    @Test
    void handsOnWhatIsNotSmallAsTheSameObject() {
        DataBuffer large = heap("12345678");

        assertThat(joined(Flux.just(heap("a"), large)).blockLast()).isSameAs(large);
    }

    @Test
    void handsOnTheRestOfWhatItFillsUpFromAsAView() {
        byte[] large = "1234567890ab".getBytes(US_ASCII);

        DataBuffer rest = joined(Flux.just(heap("abc"), HEAP.wrap(large))).blockLast();

        large[11] = 'x';
        assertThat(rest.toString(US_ASCII)).isEqualTo("67890ax");
    }

    @Test
    void givesNothingForEmptyPieces() {
        assertThat(texts("", "")).isEmpty();
    }

    @Test
    void givesTheSameBytesHoweverTheyAreCut() {
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            List<String> pieces = Stream.generate(() -> "0123456789abcdefghijklmnop".substring(random.nextInt(26)))
                    .limit(random.nextInt(10))
                    .toList();

            List<String> given = joined(Flux.fromIterable(pieces).map(this::pooled))
                    .map(piece -> {
                        String text = piece.toString(US_ASCII);
                        DataBufferUtils.release(piece);
                        return text;
                    })
                    .collectList()
                    .block();

            assertThat(String.join("", given)).as("seed %s", seed).isEqualTo(String.join("", pieces));
            assertThat(given).as("seed %s", seed).doesNotContain("");
            assertThat(pooled.unreleased()).as("seed %s", seed).isZero();
        }
    }

    @Test
    void doesNotMoveABufferThatItCopies() {
        DataBuffer small = heap("abc");
        DataBuffer large = heap("1234567890ab");
        joined(Flux.just(small, large)).blockLast();

        assertThat(small.readableByteCount()).isEqualTo(3);
        assertThat(large.readableByteCount()).isEqualTo(12);
    }

    @Test
    void readsNoFurtherThanItMust() {
        List<String> read = new ArrayList<>();
        Flux<DataBuffer> source =
                Flux.just("abc", "def", "ghi", "jkl", "mno").doOnNext(read::add).map(SmallPiecesTest::heap);

        StepVerifier.create(joined(source).map(piece -> piece.toString(US_ASCII)), 0)
                .then(() -> assertThat(read).isEmpty())
                .thenRequest(1)
                .expectNext("abcdef")
                .then(() -> assertThat(read).containsExactly("abc", "def", "ghi"))
                .thenCancel()
                .verify();
    }

    @Test
    void releasesWhatItCopiesAtOnce() {
        joined(Flux.just("abc", "def")
                        .map(this::pooled)
                        .doOnNext(piece -> assertThat(pooled.unreleased()).isEqualTo(1)))
                .blockLast();

        assertThat(pooled.unreleased()).isZero();
    }

    @Test
    void releasesNothingOfWhatSomebodyElseHoldsToo() {
        DataBuffer shared = DataBufferUtils.retain(pooled("abc"));

        joined(Flux.just(shared)).blockLast();

        assertThat(pooled.unreleased()).isEqualTo(1);
        DataBufferUtils.release(shared);
    }

    @Test
    void releasesEachPieceOnceHoweverFarItGoes() {
        for (int wanted = 0; wanted < 8; wanted++) {
            joined(Flux.just("abc", "def", "12345678", "gh", "1234567890ab", "123456789")
                            .map(this::pooled))
                    .take(wanted)
                    .doOnNext(DataBufferUtils::release)
                    .blockLast();

            assertThat(pooled.unreleased()).as("%s pieces wanted", wanted).isZero();
        }
    }

    @Test
    void releasesEachPieceOnceWhenTheSourceFails() {
        Flux<DataBuffer> source = Flux.just("abc", "def", "12345678").map(this::pooled);
        StepVerifier.create(joined(source.concatWith(Flux.error(new IllegalStateException("the disk is gone")))), 1)
                .assertNext(DataBufferUtils::release)
                .thenRequest(1)
                .assertNext(DataBufferUtils::release)
                .verifyErrorMessage("the disk is gone");

        assertThat(pooled.unreleased()).isZero();
    }

    @Test
    void givesBackAPieceThatNobodyReceived() {
        SmallPieces<DataBuffer> stage = new SmallPieces<>(KIND, MOST);
        List<Object> discarded = new ArrayList<>();
        DataBuffer large = heap("12345678");
        Stream.of(heap("a"), large).forEach(piece -> {
            assertThat(stage.poll()).isNull();
            stage.feed(piece);
        });

        DataBuffer copy = stage.poll();
        stage.discardUnsent(copy, discarded::add);
        assertThat(discarded).isEmpty();
        stage.discard(discarded::add);
        assertThat(discarded).containsExactly(large);
    }

    @Test
    void givesBackAPieceThatFilledUpAnotherAndItsRest() {
        for (int received = 0; received < 2; received++) {
            SmallPieces<DataBuffer> stage = new SmallPieces<>(KIND, MOST);
            stage.feed(pooled("abc"));
            assertThat(stage.poll()).isNull();
            stage.feed(pooled("1234567890ab"));

            DataBuffer unsent = stage.poll();
            for (int i = 0; i < received; i++) {
                DataBufferUtils.release(unsent);
                unsent = stage.poll();
            }
            stage.discardUnsent(unsent, piece -> DataBufferUtils.release((DataBuffer) piece));
            stage.discard(piece -> DataBufferUtils.release((DataBuffer) piece));

            assertThat(pooled.unreleased()).as("%s received", received).isZero();
        }
    }

    @Test
    void givesBackAPieceThatIsNotSmallAndThatNobodyReceived() {
        SmallPieces<DataBuffer> stage = new SmallPieces<>(KIND, MOST);
        List<Object> discarded = new ArrayList<>();
        DataBuffer large = heap("12345678");
        stage.feed(large);

        stage.discardUnsent(stage.poll(), discarded::add);
        stage.discard(discarded::add);

        assertThat(discarded).containsExactly(large);
    }
}
