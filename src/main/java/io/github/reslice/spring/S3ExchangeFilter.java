package io.github.reslice.spring;

import io.github.reslice.AwsChunked;
import io.github.reslice.OneShotBodyException;
import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.sigv4.SigV4;
import java.net.URI;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/**
 * Makes a {@code WebClient} an S3 client: signs every request, and sends objects as {@code aws-chunked} bodies with a
 * checksum, while they stream.
 *
 * <pre>{@code
 * WebClient s3 = WebClient.builder()
 *         .baseUrl("http://127.0.0.1:9000")
 *         .filter(S3ExchangeFilter.builder()
 *                 .credentials(AwsCredentials.of(accessKey, secretKey))
 *                 .region("us-east-1")
 *                 .build())
 *         .build();
 *
 * s3.put().uri("/bucket/key").contentLength(length).body(source, ByteBuffer.class).retrieve().toBodilessEntity();
 * s3.put().uri("/bucket/key").body(BodyInserters.fromResource(file)).retrieve().toBodilessEntity();
 * s3.get().uri("/bucket/key").retrieve().bodyToFlux(DataBuffer.class);
 * }</pre>
 *
 * <p><b>What is encoded.</b> What S3 takes encoded, PutObject and UploadPart: a PUT with a body, without
 * {@code x-amz-copy-source}, and without a query but {@code x-id}, or {@code partNumber} with {@code uploadId}. A caller's
 * {@code Content-Encoding} is kept ({@code aws-chunked,gzip}). With a caller's own {@code x-amz-checksum-*} header there is
 * no trailer. Everything else goes as it is, signed over {@code UNSIGNED-PAYLOAD}, or without a body over the hash of
 * nothing; so does a body with the caller's own {@code x-amz-content-sha256}, which is signed as given. A URI with
 * {@code X-Amz-Signature} in its query passes untouched, and so do responses; {@link S3Error} reads those of failures.
 *
 * <p><b>Length.</b> S3 wants a body's length before its first byte. Spring knows that of a {@code Resource} and of a
 * single value; for a {@code Flux} give {@code contentLength(n)}, the object's own length. Without it the request fails
 * with an {@link UnknownLengthException}. A body that breaks its length fails with a
 * {@link io.github.reslice.awschunked.DecodedLengthException} before it is complete, encoded or not. {@code WebClient}
 * wraps what fails while it sends in a {@code WebClientRequestException}: look at its cause.
 *
 * <p><b>The URI</b> is sent as it is signed, each byte of the path percent-encoded but letters, digits, {@code -._~} and
 * {@code /}. {@code //} and {@code ..} stay. A {@code WebClient} takes {@code {}} for the start of a variable: give such
 * keys as one, {@code uri("/bucket/{key}", key)}, which makes {@code %2F} of a slash, and S3 a slash of that.
 *
 * <p><b>Retries.</b> Each subscription signs and encodes from the start, with credentials asked anew. The body is
 * subscribed to again: one that can be read only once fails at once, with an {@link OneShotBodyException} or, if it gives
 * nothing the second time, a {@code DecodedLengthException}. A filter that tries again must come before this one: behind it,
 * most connectors would send the same request, whose headers are fixed.
 *
 * <p><b>Demand</b> is the connector's: Reactor Netty asks for 128 pieces ahead, Jetty's for 32, Apache's for 5, the JDK's
 * for one. Nothing is read beyond, but for small buffers that are {@linkplain Builder#joinUpTo joined}.
 *
 * <p><b>Errors and cancel.</b> What the body fails with before there is a response reaches the caller on every connector: at
 * once, or after a second where the connector waits for a server that does not read. A cancel ends the upload on every
 * connector, and nothing follows it. To a server that answers before the body has come, connectors differ: Reactor
 * Netty's then ends the response when the body fails, as if that were whole.
 *
 * <p><b>Buffers and discard.</b> The body's buffers are released exactly once, on success, error and cancel: Netty's by
 * Reactor Netty's connector. For the others, which never release them or not when a request fails (the JDK's, Jetty's,
 * Apache's), pooled buffers are copied and released here; so are other pooled buffers than Netty's for Reactor Netty, and small
 * ones that are {@linkplain Builder#joinUpTo joined}. Its
 * connector is known by its {@code NettyDataBufferFactory}, which must not be given to another one. What the encoding
 * holds is released whatever {@code doOnDiscard} is around the request. Buffers that operators <em>inside</em> the body hold are theirs, as with any
 * {@code WebClient}: a body that queues pooled buffers needs
 * {@code doOnDiscard(DataBuffer.class, DataBufferUtils::release)} at its end.
 *
 * <p>Over plain HTTP a body is not authenticated, since the request's signature does not cover it, unless its chunks are
 * signed: {@link Builder#chunked(AwsChunked.Signed) chunked(settings.signed())}.
 *
 * <p>Immutable and thread-safe: make one, share it. Put it behind filters that change a request, since what they add must
 * be signed.
 *
 * <p>Source: <a href="https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html">Amazon S3 API
 * Reference, signature calculations for trailing headers</a>.
 */
public final class S3ExchangeFilter implements ExchangeFilterFunction {

    /** The request's attribute that tells {@link S3Error} whether its body went encoded: an {@link AtomicBoolean}. */
    static final String ENCODES = S3ExchangeFilter.class.getName() + ".encodes";

    private static final String PLAIN_BODY = S3ExchangeFilter.class.getName() + ".plainBody";

    final SigV4 sigv4;
    final BodyEncoding encoding;
    final BodyEncoding encodingWithoutChecksum;
    final boolean transferEncodingChunked;
    final int joinUpTo;
    private final Mono<AwsCredentials> credentials;
    private final boolean plainBodies;

    private S3ExchangeFilter(SigV4 sigv4, Mono<AwsCredentials> credentials, Builder settings) {
        this.sigv4 = sigv4;
        this.credentials = credentials.switchIfEmpty(Mono.error(() -> new IllegalStateException(
                "The Mono of the credentials gave none: it must give AwsCredentials, or an error that says why not")));
        encoding = settings.encoding;
        encodingWithoutChecksum = encoding.withoutChecksum();
        transferEncodingChunked = settings.transferEncodingChunked;
        joinUpTo = settings.joinUpTo;
        plainBodies = settings.plainBodies;
    }

    /**
     * A builder; credentials and region must be given.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Switches the encoding off for one request, for a store that does not take it:
     *
     * <pre>{@code
     * s3.put().uri("/bucket/key").attributes(S3ExchangeFilter.plainBody()).contentLength(length).body(...)
     * }</pre>
     *
     * <p>The body then goes as it is, without a checksum, signed over {@code UNSIGNED-PAYLOAD}. {@link Builder#plainBodies()}
     * does so for all.
     *
     * @return what to give to the request's {@code attributes}
     */
    public static Consumer<Map<String, Object>> plainBody() {
        return attributes -> attributes.put(PLAIN_BODY, true);
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        if (queryNames(request.url()).stream().anyMatch("X-Amz-Signature"::equalsIgnoreCase)) {
            return next.exchange(request);
        }
        // credentials come first: no buffer of the body has been made that would have to be released if they fail
        return credentials.flatMap(current -> {
            Exchange exchange = new Exchange();
            ClientRequest signed = signed(request, current, exchange);
            return exchange.responseTo(signed, next.exchange(signed));
        });
    }

    private ClientRequest signed(ClientRequest request, AwsCredentials current, Exchange exchange) {
        boolean plain = plainBodies || request.attribute(PLAIN_BODY).isPresent();
        return ClientRequest.from(request)
                .url(SigV4.signedForm(request.url()))
                .attribute(ENCODES, exchange.encodes)
                .body((output, context) ->
                        request.body().insert(new S3HttpRequest(output, this, current, plain, exchange), context))
                .build();
    }

    static Set<String> queryNames(URI uri) {
        return Stream.ofNullable(uri.getRawQuery())
                .flatMap(query -> Stream.of(query.split("&")))
                .filter(parameter -> !parameter.isEmpty())
                .map(parameter -> parameter.split("=", 2)[0])
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * The settings, without the credentials.
     *
     * @return for example {@code S3ExchangeFilter[SigV4[us-east-1/s3]]}
     */
    @Override
    public String toString() {
        return "S3ExchangeFilter[" + sigv4 + "]";
    }

    /** Makes an {@link S3ExchangeFilter}. Not thread-safe. */
    public static final class Builder {

        private static final int MAX_JOIN_UP_TO = 1024 * 1024;

        private final SigV4.Builder sigv4 = SigV4.builder();
        private boolean regionGiven;
        private @Nullable Mono<AwsCredentials> credentials;
        private BodyEncoding encoding =
                new BodyEncoding.Unsigned(AwsChunked.builder().build());
        private boolean plainBodies;
        private boolean transferEncodingChunked;
        private int joinUpTo;

        private Builder() {}

        /**
         * Who sends the requests.
         *
         * @param credentials the same for all requests
         * @return this
         */
        public Builder credentials(AwsCredentials credentials) {
            return credentials(Mono.just(Objects.requireNonNull(credentials, "credentials")));
        }

        /**
         * Who sends the requests, asked anew for each attempt and before its body: so credentials that expire can be
         * renewed between a request and its retry. {@link Mono#cache(java.time.Duration)} keeps them for a while.
         *
         * @param credentials gives the credentials; its error fails the request, and giving none is an
         *     {@link IllegalStateException}
         * @return this
         */
        public Builder credentials(Mono<AwsCredentials> credentials) {
            this.credentials = Objects.requireNonNull(credentials, "credentials");
            return this;
        }

        /**
         * The region that the requests go to. A store that has none takes {@code us-east-1}, as a rule.
         *
         * @param region for example {@code us-east-1}
         * @return this
         * @throws IllegalArgumentException if it is empty or has anything but letters, digits, {@code -}, {@code _} and
         *     {@code .}
         */
        public Builder region(String region) {
            sigv4.region(Objects.requireNonNull(region, "region"));
            regionGiven = true;
            return this;
        }

        /**
         * The service that is signed for; {@code s3} by default.
         *
         * @param service for example {@code s3}
         * @return this
         * @throws IllegalArgumentException if it is empty or has anything but letters, digits, {@code -}, {@code _} and
         *     {@code .}
         */
        public Builder service(String service) {
            sigv4.service(Objects.requireNonNull(service, "service"));
            return this;
        }

        /**
         * Where the signatures' time comes from; the system's clock by default.
         *
         * @param clock the clock, in any zone
         * @return this
         */
        public Builder clock(Clock clock) {
            sigv4.clock(clock);
            return this;
        }

        /**
         * How bodies are encoded; by default as {@code AwsChunked.builder().build()} does: 128 KiB chunks, a CRC32 trailer.
         *
         * @param chunked the encoding's settings
         * @return this
         */
        public Builder chunked(AwsChunked chunked) {
            encoding = new BodyEncoding.Unsigned(Objects.requireNonNull(chunked, "chunked"));
            return this;
        }

        /**
         * Signs every chunk of the bodies, and their trailers: {@code chunked(settings.signed())}. Less than one chunk of a body
         * is held.
         *
         * @param chunked the encoding's settings
         * @return this
         */
        public Builder chunked(AwsChunked.Signed chunked) {
            encoding = new BodyEncoding.Signed(Objects.requireNonNull(chunked, "chunked"));
            return this;
        }

        /**
         * Switches the encoding off, for a store that does not take it: every body goes as it is, without a checksum,
         * signed over {@code UNSIGNED-PAYLOAD}. {@link S3ExchangeFilter#plainBody()} does so for one request.
         *
         * @return this
         */
        public Builder plainBodies() {
            plainBodies = true;
            return this;
        }

        /**
         * Sends a body of unknown length by HTTP chunked transfer instead of failing. <b>S3, Swift and several others refuse
         * that</b>: they want {@code x-amz-decoded-content-length}, which cannot be given, or refuse
         * {@code Transfer-Encoding} at all. Bodies whose length is known go with it as before.
         *
         * @return this
         */
        public Builder transferEncodingChunked() {
            transferEncodingChunked = true;
            return this;
        }

        /**
         * Copies small pieces of an encoded body together: those of at most half a size, a chunk's header too, until the next one
         * would go beyond it. What is joined and is shorter than 256 bytes, such as a header by itself, is filled up to that from a
         * larger piece that follows, if more than half a size is left of it. By default every piece goes as it is.
         *
         * <ul>
         *   <li><b>16 KiB for the JDK's client, Jetty's and Apache's</b>, to which each piece is a write, if a body comes in
         *       buffers of a few KiB.
         *   <li><b>256 bytes for Reactor Netty over TLS</b> by the JDK's engine: the chunk's header then shares a TLS record with
         *       the data that would not fill one.
         * </ul>
         *
         * <p>Nothing is sent before so much has come, a larger buffer follows, or the body has ended: 16 KiB are not for sources that
         * are slower than the server's or the client's patience. Each upload holds so many bytes more.
         *
         * @param size bytes, to {@value #MAX_JOIN_UP_TO}; 0 hands on every piece as it is
         * @return this
         * @throws IllegalArgumentException if the size is out of bounds
         */
        public Builder joinUpTo(int size) {
            if (size < 0 || size > MAX_JOIN_UP_TO) {
                throw new IllegalArgumentException(
                        "Small pieces are joined up to 0 to " + MAX_JOIN_UP_TO + " bytes, was " + size);
            }
            joinUpTo = size;
            return this;
        }

        /**
         * The filter.
         *
         * @return an immutable object, to be shared
         * @throws IllegalArgumentException if credentials or region were not given
         */
        public S3ExchangeFilter build() {
            if (credentials == null) {
                throw new IllegalArgumentException(
                        "no credentials: call credentials(AwsCredentials.of(accessKey, secretKey)), or give a Mono of them");
            }
            if (!regionGiven) {
                throw new IllegalArgumentException(
                        "no region: call region(\"us-east-1\"), or the region that your store is in");
            }
            return new S3ExchangeFilter(sigv4.build(), credentials, this);
        }
    }
}
