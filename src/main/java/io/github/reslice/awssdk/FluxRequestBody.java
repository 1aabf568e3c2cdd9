package io.github.reslice.awssdk;

import io.github.reslice.OneShotBodyException;
import io.github.reslice.Reslice;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.core.async.AsyncRequestBody;

/**
 * A stream of known length as the body of an AWS SDK request.
 *
 * <pre>{@code
 * AsyncRequestBody body = FluxRequestBody.of(source, length)
 *         .onProgress(sent -> log.info("{} of {} bytes", sent, length));
 * s3.putObject(request, body);
 * }</pre>
 *
 * <p>A {@code Flux} of Spring's {@code DataBuffer}, pooled or not, goes through
 * {@code io.github.reslice.spring.DataBuffers.toByteBuffers()} first.
 *
 * <p><b>The source</b> is subscribed to once in each of the SDK's attempts, and must give the same bytes each time; in a
 * multipart upload it is subscribed to once, and the SDK keeps the bytes of the parts that it may have to send again. All state is
 * the subscription's, so one body may be sent several times, also at once. A source that can be read only once,
 * when asked again, fails the request with an {@link OneShotBodyException} or, if it then gives nothing, with a
 * {@code DecodedLengthException} that says so. Make such a source anew each time: {@code Flux.defer(() -> open())}.
 *
 * <p><b>Length.</b> A source that is longer or shorter than declared fails the request with a
 * {@link io.github.reslice.awschunked.DecodedLengthException}, which has both numbers, before the last byte is out: no
 * server takes what was sent for the whole object. The SDK does not try such a request again.
 *
 * <p><b>Buffers</b> are not copied. The SDK gets a view of each, whose position and limit it moves: the source's buffers are
 * read and never touched. <b>Nothing says when the SDK is done with one</b>: they must keep their content until the request's
 * future has completed and, after a failure or a cancellation, which a write may outlast, for good. Buffers that are pooled or
 * used again must be copied.
 *
 * <p><b>Demand</b> is kept to the item. The buffer that completes the length is held until the source has completed.
 *
 * <p><b>Discard.</b> The SDK has no {@link Flux#doOnDiscard discard hook}: what is held when a request fails or is cancelled
 * is dropped, and the source is cancelled.
 *
 * <p><b>Errors</b> of the source fail the request, as the cause of the SDK's exception; whether the SDK tries again depends
 * on the error.
 */
public final class FluxRequestBody implements AsyncRequestBody {

    private final Flux<ByteBuffer> content;
    private final long length;

    private FluxRequestBody(Flux<ByteBuffer> content, long length) {
        this.content = content;
        this.length = length;
    }

    /**
     * The body that a source gives.
     *
     * @param source the bytes, from their start with each subscription
     * @param length how many they are
     * @return the body
     * @throws IllegalArgumentException if the length is below zero
     */
    public static FluxRequestBody of(Publisher<? extends ByteBuffer> source, long length) {
        Objects.requireNonNull(source, "source");
        Flux<ByteBuffer> content = Flux.<ByteBuffer>from(source)
                .transform(OneShotBodyException.named())
                .transform(Reslice.exactLength(length))
                .map(ByteBuffer::duplicate);
        return new FluxRequestBody(content, length);
    }

    /**
     * The same body, telling how far it is.
     *
     * @param sent is told how many bytes of the current attempt the SDK has been given, with each buffer: rising up to the
     *     length, and from the start again in a retry. The network may lag behind. It runs on the source's thread and must not
     *     block; what it throws fails the request.
     * @return the body
     */
    public FluxRequestBody onProgress(LongConsumer sent) {
        Objects.requireNonNull(sent, "sent");
        Flux<ByteBuffer> watched = Flux.defer(() -> {
            AtomicLong count = new AtomicLong();
            return content.doOnNext(buffer -> sent.accept(count.addAndGet(buffer.remaining())));
        });
        return new FluxRequestBody(watched, length);
    }

    /**
     * The declared length.
     *
     * @return bytes, never empty
     */
    @Override
    public Optional<Long> contentLength() {
        return Optional.of(length);
    }

    /**
     * Sends the body, from its start.
     *
     * @param subscriber the SDK's
     */
    @Override
    public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
        content.subscribe(subscriber);
    }
}
