package io.github.reslice.spring;

import io.github.reslice.AwsChunkedDecoder;
import io.github.reslice.awschunked.Mode;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.sigv4.PresentedSignature;
import io.github.reslice.sigv4.SigV4Verifier;
import io.github.reslice.sigv4.SignatureRefusedException;
import io.github.reslice.sigv4.SignedHeaders;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * The receiving side of S3 for WebFlux: lets pass what is signed by someone known, and hands each controller the plain
 * body, checked.
 *
 * <pre>{@code
 * S3WebFilter s3 = S3WebFilter.builder()
 *         .secrets(accessKey -> users.findByAccessKey(accessKey)            // a Mono, empty for an unknown key
 *                 .map(user -> AwsCredentials.of(accessKey, user.secretKey())))
 *         .region("us-east-1")
 *         .build();
 *
 * HttpHandler handler = WebHttpHandlerBuilder.webHandler(yours).filter(s3).build();   // or a bean, in Spring Boot
 * }</pre>
 *
 * <p><b>The request</b> is verified before any of its body is read, by the rules of {@link SigV4Verifier}: by its
 * {@code Authorization} header or, for a presigned URL, by its query. What is not signed is denied. Controllers find who it
 * was in the attribute {@link #ACCESS_KEY}; <strong>whether that one may do it is theirs to decide</strong>.
 *
 * <p><b>The body</b> is what the signed {@code x-amz-content-sha256} says, on every route, and is checked while the
 * controller reads it:
 *
 * <ul>
 *   <li>a streaming mode: it is decoded by an {@link AwsChunkedDecoder}, with all its checks. The controller sees the
 *       payload, its length as {@code Content-Length}, {@code Content-Encoding} without {@code aws-chunked}, and no
 *       {@code x-amz-trailer}. Nothing of a signed chunk is handed on before its signature was checked, so up to a chunk is
 *       held ({@linkplain Builder#handOnUnverified can be switched off});
 *   <li>a SHA-256: it is compared at the body's end, and so are the one checksum in a header ({@code x-amz-checksum-crc32c}
 *       and its like) and {@code Content-MD5}, in every mode;
 *   <li>{@code UNSIGNED-PAYLOAD}: it passes as it is.
 * </ul>
 *
 * <p><strong>A checksum over the whole body is compared when all of it has come</strong>: what is wrong then is an error in the place
 * of the last buffer, with all others handed on. So a controller must not make an upload visible before the body completes.
 * What it leaves unread is unchecked.
 *
 * <p><b>Refusals</b> are S3's error documents, in XML, with S3's codes and statuses; of a body that is refused while a
 * controller reads it too, whatever the controller makes of that error, unless it has begun to answer by then, or
 * answers of its own accord. A refused request's body is not asked for: a client that waits for {@code 100 Continue} gets
 * the refusal in its place and sends nothing. One that does not wait goes on sending, and Reactor Netty drops what comes, up
 * to the end of the request, to keep the connection.
 *
 * <p><b>The order of filters.</b> It must come before all that reads a body or trusts a request, and behind what answers
 * requests that are never signed (CORS preflights). To leave out some routes, wrap it: {@code (exchange, chain) ->
 * isPublic(exchange) ? chain.filter(exchange) : s3.filter(exchange, chain)}. The path that is verified is the one that
 * Spring shows: behind a proxy that cuts off a prefix, signatures do not match.
 *
 * <p><b>One path has many spellings</b>, and a signature is good for all of them: {@code /b/a} and {@code /b/%61},
 * {@code /b/a/c} and {@code /b/a%2Fc}. Whoever is on the way may change one into the other. So a controller must decide by
 * the decoded path ({@code getURI().getPath()}); Spring's path patterns take {@code %2F} for a part of a segment.
 *
 * <p>Immutable and thread-safe. It needs nothing but spring-webflux.
 */
public final class S3WebFilter implements WebFilter, Ordered {

    /** The exchange's attribute with the access key, a {@code String}, that a request was signed with. */
    public static final String ACCESS_KEY = S3WebFilter.class.getName() + ".accessKey";

    private static final Log LOG = LogFactory.getLog(S3WebFilter.class);

    private final Function<String, Mono<AwsCredentials>> secrets;
    private final SigV4Verifier verifier;
    private final Function<Mode, AwsChunkedDecoder.Builder> decoders;
    private final ServerCodecConfigurer codecs;

    private S3WebFilter(Function<String, Mono<AwsCredentials>> secrets, Builder settings) {
        this.secrets = secrets;
        verifier = settings.verifier.build();
        codecs = settings.codecs == null ? ServerCodecConfigurer.create() : settings.codecs;
        decoders = settings.decoders();
    }

    /**
     * A builder; the lookup of secrets must be given.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return Mono.defer(() -> verified(exchange))
                .onErrorResume(e -> refusal(e).answer(exchange).then(Mono.empty()))
                .flatMap(body -> proceed(exchange, chain, body));
    }

    private Mono<ReceivedBody> verified(ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        HttpHeaders received = request.getHeaders();
        // by name: Netty lists one that came in two spellings twice, each time with all its values
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        received.headerNames().forEach(name -> headers.put(name, List.copyOf(received.getOrEmpty(name))));
        PresentedSignature presented = verifier.read(
                request.getMethod().name(),
                request.getURI().getRawPath(),
                request.getURI().getRawQuery(),
                headers);
        return Mono.defer(() -> secrets.apply(presented.accessKey()))
                .switchIfEmpty(Mono.error(SignatureRefusedException::unknownAccessKey))
                .map(credentials -> {
                    SignedHeaders seed = presented.verify(credentials);
                    exchange.getAttributes().put(ACCESS_KEY, presented.accessKey());
                    return new ReceivedBody(
                            request,
                            seed,
                            presented.contentSha256(),
                            decoders,
                            exchange.getResponse().bufferFactory());
                });
    }

    private static Refusal refusal(Throwable e) {
        if (e instanceof SignatureRefusedException refused) {
            return Refusal.of(refused);
        }
        if (e instanceof RefusedRequestException refused) {
            return refused.refusal();
        }
        LOG.error("A request could not be checked", e);
        return new Refusal(500, "InternalError", "The request could not be checked; try again");
    }

    private Mono<Void> proceed(ServerWebExchange exchange, WebFilterChain chain, ReceivedBody body) {
        CheckedExchange checked = new CheckedExchange(exchange, body, codecs);
        return chain.filter(checked)
                .onErrorResume(e -> {
                    Refusal refusal = body.refusal();
                    return refusal == null || exchange.getResponse().isCommitted()
                            ? Mono.error(e)
                            : refusal.answer(exchange);
                })
                .onErrorResume(e -> checked.cleanupMultipart().then(Mono.error(e)))
                .then(Mono.defer(checked::cleanupMultipart));
    }

    /**
     * Where it stands among a Spring application's filters: before Spring Security's, which are at -100, and those without
     * an order. {@code @Order} on the method that makes the bean says otherwise.
     *
     * @return -200
     */
    @Override
    public int getOrder() {
        return -200;
    }

    /**
     * The region and the service.
     *
     * @return for example {@code S3WebFilter[SigV4Verifier[us-east-1/s3]]}
     */
    @Override
    public String toString() {
        return "S3WebFilter[" + verifier + "]";
    }

    /** Makes an {@link S3WebFilter}. Not thread-safe. */
    public static final class Builder {

        private final SigV4Verifier.Builder verifier = SigV4Verifier.builder();
        private @Nullable Function<String, Mono<AwsCredentials>> secrets;
        private UnaryOperator<AwsChunkedDecoder.Builder> decoder = UnaryOperator.identity();
        private boolean holdsChunks = true;
        private @Nullable ServerCodecConfigurer codecs;

        private Builder() {}

        /**
         * Who is known. It is asked once for each request that could be right, before the body.
         *
         * @param secrets gives the credentials of an access key, with their session token if they are temporary; nothing if
         *     nobody has that access key ({@code InvalidAccessKeyId}). Its error is logged, and answered by
         *     {@code InternalError} and nothing of it.
         * @return this
         */
        public Builder secrets(Function<String, Mono<AwsCredentials>> secrets) {
            this.secrets = Objects.requireNonNull(secrets, "secrets");
            return this;
        }

        /**
         * The region that requests must be signed for. By default any will do.
         *
         * @param region for example {@code us-east-1}
         * @return this
         * @throws IllegalArgumentException if it is empty or has anything but letters, digits, {@code -}, {@code _} and
         *     {@code .}
         */
        public Builder region(String region) {
            verifier.region(region);
            return this;
        }

        /**
         * The service that requests must be signed for; {@code s3} by default.
         *
         * @param service for example {@code s3}
         * @return this
         * @throws IllegalArgumentException if it is empty or has anything but letters, digits, {@code -}, {@code _} and
         *     {@code .}
         */
        public Builder service(String service) {
            verifier.service(service);
            return this;
        }

        /**
         * Where the time comes from; the system's clock by default.
         *
         * @param clock the clock, in any zone
         * @return this
         */
        public Builder clock(Clock clock) {
            verifier.clock(clock);
            return this;
        }

        /**
         * The bounds of encoded bodies, where the decoder's own are not right:
         *
         * <pre>{@code
         * .decoder(decoder -> decoder.maxChunkSize(1024 * 1024))
         * }</pre>
         *
         * <p>What a request says of its body (mode, length, trailers) is told the decoder afterwards.
         *
         * @param bounds sets bounds, for each request anew
         * @return this
         */
        public Builder decoder(UnaryOperator<AwsChunkedDecoder.Builder> bounds) {
            decoder = Objects.requireNonNull(bounds, "bounds");
            return this;
        }

        /**
         * Hands the data of signed chunks on as it comes, all but a chunk's last piece before its signature was checked.
         * Holds less memory; the controller then sees bytes of a chunk that is refused a moment later.
         *
         * @return this
         */
        public Builder handOnUnverified() {
            holdsChunks = false;
            return this;
        }

        /**
         * What reads forms and multipart bodies, {@code exchange.getFormData()} and its like; by default
         * {@code ServerCodecConfigurer.create()}. Give the application's own if it has changed its limits.
         *
         * @param codecs the codecs
         * @return this
         */
        public Builder codecs(ServerCodecConfigurer codecs) {
            this.codecs = Objects.requireNonNull(codecs, "codecs");
            return this;
        }

        private Function<Mode, AwsChunkedDecoder.Builder> decoders() {
            UnaryOperator<AwsChunkedDecoder.Builder> bounds = decoder;
            boolean holds = holdsChunks;
            return mode -> {
                AwsChunkedDecoder.Builder builder = AwsChunkedDecoder.builder();
                return bounds.apply(holds && mode.isSigned() ? builder.holdChunkUntilVerified() : builder);
            };
        }

        /**
         * The filter.
         *
         * @return an immutable object, to be shared
         * @throws IllegalArgumentException if no lookup of secrets was given, or the decoder's bounds are wrong
         */
        public S3WebFilter build() {
            if (secrets == null) {
                throw new IllegalArgumentException(
                        "no secrets: call secrets(accessKey -> ...), which gives the credentials of an access key");
            }
            for (Mode mode : Mode.values()) {
                decoders().apply(mode).build(); // fails here and not at the first request
            }
            for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
                if (algorithm.isAvailable()) {
                    algorithm.requireAvailable(); // loads files here and not on an event loop
                }
            }
            return new S3WebFilter(secrets, this);
        }
    }
}
