package io.github.reslice.benchmarks;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.zip.CRC32C;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** Bodies at once on one thread, to be encoded or decoded: some pieces are asked of each in turn, until all have ended. */
final class InTurn {

    /** Buffers that are read in a turn, or a few less where some of the pieces that are asked for are framing. */
    static final int TURN = 64;

    private final List<ByteBuffer[]> uploads;

    InTurn(List<ByteBuffer[]> uploads) {
        this.uploads = uploads;
    }

    /** The bytes of all bodies, once they have gone through the operator. */
    long receive(Function<Flux<ByteBuffer>, Publisher<ByteBuffer>> operator) {
        return receive(operator, TURN);
    }

    /** The same, where a turn is another number of pieces. */
    long receive(Function<Flux<ByteBuffer>, Publisher<ByteBuffer>> operator, int pieces) {
        List<Upload> running = new ArrayList<>(uploads.size());
        for (ByteBuffer[] buffers : uploads) {
            Upload upload = new Upload();
            operator.apply(Flux.fromArray(buffers)).subscribe(upload);
            running.add(upload);
        }
        long bytes = 0;
        while (!running.isEmpty()) {
            running.forEach(upload -> upload.ask(pieces));
            for (int i = running.size() - 1; i >= 0; i--) {
                if (running.get(i).complete) {
                    bytes += running.remove(i).bytes;
                }
            }
        }
        return bytes;
    }

    /** A checksum of each body. */
    long checksums() {
        List<CRC32C> checksums = new ArrayList<>(uploads.size());
        uploads.forEach(buffers -> checksums.add(new CRC32C()));
        int count = uploads.get(0).length;
        for (int from = 0; from < count; from += TURN) {
            for (int upload = 0; upload < uploads.size(); upload++) {
                CRC32C checksum = checksums.get(upload);
                ByteBuffer[] buffers = uploads.get(upload);
                for (int i = from; i < Math.min(from + TURN, count); i++) {
                    Contender.update(checksum, buffers[i]);
                }
            }
        }
        return checksums.stream().mapToLong(CRC32C::getValue).sum();
    }

    void rewind() {
        for (ByteBuffer[] buffers : uploads) {
            for (ByteBuffer buffer : buffers) {
                buffer.rewind();
            }
        }
    }

    private static final class Upload implements CoreSubscriber<ByteBuffer> {

        private Subscription subscription;
        private long bytes;
        private boolean complete;

        void ask(int pieces) {
            subscription.request(pieces);
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            this.subscription = subscription;
        }

        @Override
        public void onNext(ByteBuffer piece) {
            bytes += piece.remaining();
        }

        @Override
        public void onError(Throwable e) {
            throw new IllegalStateException(e);
        }

        @Override
        public void onComplete() {
            complete = true;
        }
    }
}
