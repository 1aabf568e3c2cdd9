package io.github.reslice;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.awschunked.Seed;
import io.github.reslice.awschunked.Sliced;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

/** What goes to the discard hook: the caller's own buffers, or their rests, each once, and framing never. */
class AwsChunkedDiscardTest {

    private static final int CHUNK = 8192;

    private final AwsChunked chunked = AwsChunked.builder().chunkSize(CHUNK).build();
    private final List<ByteBuffer> discarded = new ArrayList<>();
    private final Receiver receiver = new Receiver();

    @Test
    void aBufferOfWhichNothingWasGivenIsDiscardedAsItself() {
        ByteBuffer buffer = ByteBuffer.allocate(2 * CHUNK);
        cancelAfter(1, chunked.encode(2 * CHUNK), Flux.just(buffer).concatWith(Flux.never()));

        assertThat(discarded).singleElement().isSameAs(buffer);
    }

    @Test
    void aBufferPartlyGivenIsDiscardedByItsRest() {
        ByteBuffer buffer = numbered(2 * CHUNK);
        cancelAfter(2, chunked.encode(2 * CHUNK), Flux.just(buffer).concatWith(Flux.never()));

        assertThat(Sliced.join(discarded)).isEqualTo(Sliced.join(List.of(buffer.slice(CHUNK, CHUNK))));
    }

    @Test
    void aBufferPolledAheadOfDemandIsDiscardedAsItself() {
        ByteBuffer buffer = ByteBuffer.allocate(100);
        cancelAfter(1, chunked.encode(100), Flux.just(buffer));

        assertThat(discarded).singleElement().isSameAs(buffer);
    }

    @Test
    void aViewPolledAheadOfDemandIsDiscardedWithItsBuffer() {
        ByteBuffer buffer = ByteBuffer.allocate(2 * CHUNK);
        cancelAfter(1, chunked.encode(2 * CHUNK), Flux.just(buffer));

        assertThat(discarded).singleElement().isSameAs(buffer);
    }

    @Test
    void aHeaderPolledAheadOfDemandIsNotDiscarded() {
        cancelAfter(2, chunked.encode(2 * CHUNK), Flux.just(numbered(2 * CHUNK)));
        assertThat(discarded)
                .singleElement()
                .satisfies(rest -> assertThat(rest.remaining()).isEqualTo(CHUNK));
    }

    @Test
    void theEndPolledAheadOfDemandIsNotDiscarded() {
        cancelAfter(2, chunked.encode(100), Flux.just(ByteBuffer.allocate(100)));

        assertThat(receiver.pieces).hasSize(2);
        assertThat(discarded).isEmpty();
    }

    @Test
    void everyHeldBufferIsDiscardedAsItself() {
        ByteBuffer first = ByteBuffer.allocate(2000);
        ByteBuffer second = ByteBuffer.allocate(3000);
        Flux.just(first, second)
                .concatWith(Flux.never())
                .transform(chunked.encode())
                .doOnDiscard(ByteBuffer.class, discarded::add)
                .subscribe(receiver);
        receiver.request(1);
        receiver.cancel();

        assertThat(discarded).hasSize(2);
        assertThat(discarded.get(0)).isSameAs(first);
        assertThat(discarded.get(1)).isSameAs(second);
    }

    @Test
    void everyBufferHeldForItsSignatureIsDiscardedAsItself() {
        AwsChunked.Signed signed = chunked.signed();
        ByteBuffer first = ByteBuffer.allocate(2000);
        ByteBuffer second = ByteBuffer.allocate(3000);
        Flux.just(first, second)
                .concatWith(Flux.never())
                .transform(signed.encode(CHUNK, Seed.of(signed.headers(CHUNK))))
                .doOnDiscard(ByteBuffer.class, discarded::add)
                .subscribe(receiver);
        receiver.request(1);
        receiver.cancel();

        assertThat(receiver.pieces).isEmpty();
        assertThat(discarded).hasSize(2);
        assertThat(discarded.get(0)).isSameAs(first);
        assertThat(discarded.get(1)).isSameAs(second);
    }

    @Test
    void aSignedHeaderPolledAheadOfDemandIsNotDiscarded() {
        AwsChunked.Signed signed = chunked.signed();
        cancelAfter(2, signed.encode(2 * CHUNK, Seed.of(signed.headers(2 * CHUNK))), Flux.just(numbered(2 * CHUNK)));

        assertThat(discarded)
                .singleElement()
                .satisfies(rest -> assertThat(rest.remaining()).isEqualTo(CHUNK));
    }

    @Test
    void heldBuffersAreDiscardedWhenTheSourceFails() {
        ByteBuffer held = ByteBuffer.allocate(2000);
        Flux.just(held)
                .concatWith(Flux.error(new IllegalStateException("gone")))
                .transform(chunked.encode())
                .doOnDiscard(ByteBuffer.class, discarded::add)
                .subscribe(receiver);
        receiver.request(1);

        assertThat(receiver.failure).hasMessage("gone");
        assertThat(discarded).singleElement().isSameAs(held);
    }

    @Test
    void theBufferThatGoesBeyondTheDeclaredLengthIsDiscardedAsItself() {
        ByteBuffer beyond = ByteBuffer.wrap("world".getBytes(US_ASCII));
        Flux.just(ByteBuffer.wrap("hello ".getBytes(US_ASCII)), beyond)
                .transform(chunked.encode(7))
                .doOnDiscard(ByteBuffer.class, discarded::add)
                .subscribe(receiver);
        receiver.request(Long.MAX_VALUE);

        assertThat(receiver.failure).hasMessageContaining("longer than declared");
        assertThat(receiver.pieces).hasSize(2); // the header and what came before
        assertThat(discarded).singleElement().isSameAs(beyond);
    }

    @Test
    void nothingIsGivenOfABufferThatGoesBeyondAlthoughWholeChunksOfItWouldFit() {
        ByteBuffer beyond = ByteBuffer.allocate(2 * CHUNK + 1);
        Flux.just(beyond)
                .transform(chunked.encode(2 * CHUNK))
                .doOnDiscard(ByteBuffer.class, discarded::add)
                .subscribe(receiver);
        receiver.request(1);

        assertThat(receiver.failure).hasMessageContaining("longer than declared");
        assertThat(receiver.pieces).isEmpty();
        assertThat(discarded).singleElement().isSameAs(beyond);
    }

    @Test
    void nothingIsDiscardedOnSuccess() {
        Flux.just(numbered(2 * CHUNK), numbered(100))
                .transform(chunked.encode(2 * CHUNK + 100))
                .doOnDiscard(ByteBuffer.class, discarded::add)
                .subscribe(receiver);
        receiver.request(Long.MAX_VALUE);

        assertThat(receiver.completed).isTrue();
        assertThat(discarded).isEmpty();
    }

    /** Asks for exactly so many pieces, then cancels: with the source done, one more has been polled ahead. */
    private void cancelAfter(
            int pieces, Function<Flux<ByteBuffer>, Flux<ByteBuffer>> encoding, Flux<ByteBuffer> source) {
        source.transform(encoding).doOnDiscard(ByteBuffer.class, discarded::add).subscribe(receiver);
        receiver.request(pieces);
        assertThat(receiver.pieces).hasSize(pieces);
        receiver.cancel();
    }

    private static ByteBuffer numbered(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (i / 64);
        }
        return ByteBuffer.wrap(bytes);
    }

    private static final class Receiver extends BaseSubscriber<ByteBuffer> {

        private final List<ByteBuffer> pieces = new ArrayList<>();
        private boolean completed;
        private Throwable failure = new AssertionError("no error came");

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

        @Override
        protected void hookOnError(Throwable t) {
            failure = t;
        }
    }
}
