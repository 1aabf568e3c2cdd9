package io.github.reslice.awssdk;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.async.ResponsePublisher;
import software.amazon.awssdk.core.async.SdkPublisher;

/**
 * Reads a response of the AWS SDK's as a stream that always ends: {@code AsyncResponseTransformer.toPublisher()}, whose
 * publisher may be read with {@link Flux#from}.
 *
 * <pre>{@code
 * Flux<ByteBuffer> object = Mono.fromFuture(() -> s3.getObject(request, FluxResponseTransformer.create()))
 *         .flatMapMany(Flux::from);
 * }</pre>
 *
 * <p>The SDK's own publisher gives <b>neither an error nor completion</b> when the server closes the connection before all of
 * the announced Content-Length has come, and none to a second subscriber: both wait for ever. Here
 * <ul>
 *   <li>a body that broke off fails with what the SDK says of it, an {@code IOException} with both numbers;
 *   <li>a second subscription fails with an {@link IllegalStateException}: a response can be read once. To read again, the
 *       object must be asked for again, as the example does with each subscription.
 * </ul>
 *
 * <p>It compares no checksum by itself: the SDK does where the response has one that it knows, and
 * {@link io.github.reslice.Checksums#verify} does where the value is known otherwise. The SDK retries until the response has
 * begun, and not after.
 *
 * <p><b>Buffers</b> are the SDK's copies, and the receiver's to keep. <b>Demand</b> is kept to the item, down to the
 * connection. <b>Cancellation</b> closes the connection. <b>A response that nobody reads</b> holds its connection for 60 s; then the
 * SDK closes it, and whoever subscribes later gets the {@code IllegalStateException}.
 *
 * @param <R> the response
 */
public final class FluxResponseTransformer<R extends SdkResponse>
        implements AsyncResponseTransformer<R, ResponsePublisher<R>> {

    private volatile Attempt<R> attempt = new Attempt<>();

    private FluxResponseTransformer() {}

    /**
     * A transformer for one request.
     *
     * @param <R> the response
     * @return the transformer
     */
    public static <R extends SdkResponse> FluxResponseTransformer<R> create() {
        return new FluxResponseTransformer<>();
    }

    @Override
    public CompletableFuture<ResponsePublisher<R>> prepare() {
        Attempt<R> next = new Attempt<>();
        attempt = next;
        return next.future;
    }

    @Override
    public void onResponse(R response) {
        attempt.response = response;
    }

    @Override
    public void onStream(SdkPublisher<ByteBuffer> publisher) {
        attempt.begin(publisher);
    }

    @Override
    public void exceptionOccurred(Throwable error) {
        attempt.fail(error);
    }

    /** What the SDK says of one attempt, on its response's way to the receiver. */
    private static final class Attempt<R extends SdkResponse> {

        private final CompletableFuture<ResponsePublisher<R>> future = new CompletableFuture<>();
        private final Sinks.Empty<ByteBuffer> failure = Sinks.empty();
        private volatile @Nullable R response;

        void begin(SdkPublisher<ByteBuffer> publisher) {
            R head = Objects.requireNonNull(response, "response");
            AtomicBoolean taken = new AtomicBoolean();
            Flux<ByteBuffer> body = Flux.from(publisher).takeUntilOther(failure.asMono());
            Flux<ByteBuffer> once = Flux.defer(() -> taken.getAndSet(true) ? Flux.error(readBefore()) : body);
            future.complete(new ResponsePublisher<>(head, SdkPublisher.adapt(once)));
        }

        void fail(Throwable error) {
            future.completeExceptionally(error);
            failure.tryEmitError(error);
        }

        private static IllegalStateException readBefore() {
            return new IllegalStateException("The response's body was read before, or nobody had read it for 60 s:"
                    + " it can be read only once. Ask for the object again");
        }
    }
}
