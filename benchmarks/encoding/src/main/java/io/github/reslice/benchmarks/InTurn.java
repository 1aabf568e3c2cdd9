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

/** Bodies at once on one thread, to be encoded or decoded: 64 pieces are asked of each in turn, until all have ended. */
final class InTurn {

    private static final int BATCH = 64;

    private final List<ByteBuffer[]> uploads;

    InTurn(List<ByteBuffer[]> uploads) {
        this.uploads = uploads;
    }

    /** The bytes of all bodies, once they have gone through the operator. */
    long receive(Function<Flux<ByteBuffer>, Publisher<ByteBuffer>> operator) {
        List<Upload> running = new ArrayList<>(uploads.size());
        for (ByteBuffer[] buffers : uploads) {
            Upload upload = new Upload();
            operator.apply(Flux.fromArray(buffers)).subscribe(upload);
            running.add(upload);
        }
        long bytes = 0;
        while (!running.isEmpty()) {
            running.forEach(Upload::ask);
            for (int i = running.size() - 1; i >= 0; i--) {
                if (running.get(i).complete) {
                    bytes += running.remove(i).bytes;
                }
            }
        }
        return bytes;
    }

    /** A checksum of each body, over 64 buffers of each in turn. */
    long checksums() {
        List<CRC32C> checksums = new ArrayList<>(uploads.size());
        uploads.forEach(buffers -> checksums.add(new CRC32C()));
        int count = uploads.get(0).length;
        for (int from = 0; from < count; from += BATCH) {
            for (int upload = 0; upload < uploads.size(); upload++) {
                CRC32C checksum = checksums.get(upload);
                ByteBuffer[] buffers = uploads.get(upload);
                for (int i = from; i < Math.min(from + BATCH, count); i++) {
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

        void ask() {
            subscription.request(BATCH);
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
