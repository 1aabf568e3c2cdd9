package io.github.reslice.spring;

import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.sigv4.SignedHeaders;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpRequestDecorator;
import reactor.core.Fuseable;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** One attempt at one request. Its headers are final when its body comes, so that is when it is signed. */
final class S3HttpRequest extends ClientHttpRequestDecorator {

    private static final String CONTENT_SHA256 = "x-amz-content-sha256";
    private static final String HASH_OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    /** What is signed beside x-amz-*: headers that neither client nor proxy changes. */
    private static final Set<String> SIGNED =
            Set.of("content-encoding", "content-length", "content-md5", "content-type", "host");

    private static final Set<HttpMethod> WITH_BODY = Set.of(HttpMethod.PUT, HttpMethod.POST, HttpMethod.PATCH);

    /** Queries with which a PUT is PutObject or UploadPart, which S3 takes encoded. */
    private static final Set<Set<String>> ENCODED = Set.of(
            Set.of(), Set.of("x-id"), Set.of("partNumber", "uploadId"), Set.of("x-id", "partNumber", "uploadId"));

    private final S3ExchangeFilter filter;
    private final AwsCredentials credentials;
    private final boolean plain;
    private final Exchange exchange;

    S3HttpRequest(
            ClientHttpRequest request,
            S3ExchangeFilter filter,
            AwsCredentials credentials,
            boolean plain,
            Exchange exchange) {
        super(request);
        this.filter = filter;
        this.credentials = credentials;
        this.plain = plain;
        this.exchange = exchange;
    }

    /**
     * Only Reactor Netty releases every buffer: Apache's client and the JDK's release none, Jetty's none of those that it
     * has taken ahead when a request fails. For them bodies are written into buffers that nobody has to release.
     */
    @Override
    public DataBufferFactory bufferFactory() {
        DataBufferFactory factory = super.bufferFactory();
        return DataBufferKind.isNettys(factory) ? factory : DefaultDataBufferFactory.sharedInstance;
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
        return Mono.defer(() -> {
            try {
                return send(body);
            } catch (RuntimeException e) {
                releaseIfMade(body);
                return Mono.error(e);
            }
        });
    }

    @Override
    public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
        // without prefetch: a group that is fetched and never subscribed to would not be released
        return writeWith(Flux.from(body).concatMap(Function.identity(), 0));
    }

    @Override
    public Mono<Void> setComplete() {
        return Mono.defer(() -> getHeaders().getContentLength() > 0 ? send(Flux.empty()) : sendNothing());
    }

    private Mono<Void> send(Publisher<? extends DataBuffer> body) {
        checkNotSent();
        HttpHeaders headers = getHeaders();
        headers.remove(HttpHeaders.TRANSFER_ENCODING);
        long length = headers.getContentLength();
        if (length < 0 && !filter.transferEncodingChunked) {
            throw new UnknownLengthException();
        }
        RequestBody payload = new RequestBody(body, bufferFactory(), exchange);
        if (isEncoded(headers)) {
            BodyEncoding encoding = hasChecksum(headers) ? filter.encodingWithoutChecksum : filter.encoding;
            announce(headers, encoding, length);
            SignedHeaders seed = sign(headers, true);
            exchange.encodes.set(true);
            return getDelegate().writeWith(payload.encoded(encoding, length, seed, filter.joinUpTo));
        }
        if (length == 0) {
            return payload.checked(0).then(Mono.defer(this::sendNothing));
        }
        headers.putIfAbsent(CONTENT_SHA256, List.of("UNSIGNED-PAYLOAD"));
        sign(headers, true);
        return getDelegate().writeWith(payload.checked(length));
    }

    /** Spring makes a single value's buffer before the request is written, and nobody else would release it. */
    private static void releaseIfMade(Publisher<? extends DataBuffer> body) {
        if (body instanceof Mono && isMade(body)) {
            Mono.from(body)
                    .doOnNext(DataBufferUtils::release)
                    .onErrorComplete()
                    .subscribe()
                    .dispose();
        }
    }

    /** A value, or what gives one without waiting: any other source is not touched, since it has made nothing yet. */
    private static boolean isMade(Publisher<?> body) {
        if (body instanceof Fuseable.ScalarCallable) {
            return true;
        }
        Scannable operator = Scannable.from(body);
        return operator.scan(Scannable.Attr.RUN_STYLE) == Scannable.Attr.RunStyle.SYNC
                && operator.scan(Scannable.Attr.PARENT) instanceof Publisher<?> source
                && isMade(source);
    }

    /** Most connectors make one request for all subscriptions to an exchange, with headers that are then fixed. */
    private void checkNotSent() {
        if (isCommitted()) {
            throw new IllegalStateException("this request has been sent before and cannot be signed again:"
                    + " a filter that tries again must come before the S3ExchangeFilter");
        }
    }

    private Mono<Void> sendNothing() {
        checkNotSent();
        HttpHeaders headers = getHeaders();
        headers.remove(HttpHeaders.TRANSFER_ENCODING);
        if (WITH_BODY.contains(getMethod())) {
            headers.setContentLength(0);
        } else {
            headers.remove(HttpHeaders.CONTENT_LENGTH);
        }
        headers.putIfAbsent(CONTENT_SHA256, List.of(HASH_OF_NOTHING));
        sign(headers, false);
        return getDelegate().setComplete();
    }

    private boolean isEncoded(HttpHeaders headers) {
        return !plain
                && HttpMethod.PUT.equals(getMethod())
                && !headers.containsHeader("x-amz-copy-source")
                && !headers.containsHeader(CONTENT_SHA256)
                && ENCODED.contains(S3ExchangeFilter.queryNames(getURI()));
    }

    private static boolean hasChecksum(HttpHeaders headers) {
        return headers.headerNames().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .anyMatch(ChecksumHeader::is);
    }

    private static void announce(HttpHeaders headers, BodyEncoding encoding, long length) {
        List<String> encodings = ContentEncoding.ofObject(headers);
        headers.remove("x-amz-trailer");
        headers.remove("x-amz-decoded-content-length");
        encoding.headers(length).forEach(headers::set);
        if (length < 0) {
            headers.remove(HttpHeaders.CONTENT_LENGTH);
        } else {
            headers.setContentLength(encoding.encodedLength(length));
        }
        if (!encodings.isEmpty()) {
            headers.set(HttpHeaders.CONTENT_ENCODING, ContentEncoding.AWS_CHUNKED + "," + String.join(",", encodings));
        }
    }

    /** A Content-Length of 0 is not signed: some clients leave it out. */
    private SignedHeaders sign(HttpHeaders headers, boolean withBody) {
        Map<String, String> toSign = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> {
            values.forEach(value -> checkSendable(name, value));
            String lower = name.toLowerCase(Locale.ROOT);
            if (lower.startsWith("x-amz-")
                    || (SIGNED.contains(lower) && (withBody || !lower.equals("content-length")))) {
                toSign.put(lower, ascii(name, String.join(",", values)));
            }
        });
        SignedHeaders signed = filter.sigv4.sign(getMethod().name(), getURI(), toSign, credentials);
        signed.headers().forEach(headers::set);
        return signed;
    }

    /** What a client refuses to send, or changes, must fail before it is signed. A value may be a secret: not shown. */
    private static void checkSendable(String name, String value) {
        if (!value.equals(value.strip())) {
            throw new IllegalArgumentException(
                    "Header " + name + ": its value begins or ends with white space, which is not sent as it is");
        }
        value.chars()
                .filter(c -> (c < ' ' && c != '\t') || c == 0x7f)
                .findFirst()
                .ifPresent(c -> {
                    throw new IllegalArgumentException(
                            "Header " + name + ": its value has the control character 0x%02x".formatted(c));
                });
    }

    private static String ascii(String name, String value) {
        value.chars().filter(c -> c > '~').findFirst().ifPresent(c -> {
            throw new IllegalArgumentException(
                    "Header " + name + ": the character U+"
                            + Integer.toHexString(0x10000 | c).substring(1)
                            + " is not ASCII, and HTTP clients send it as something else than was signed; percent-encode the value");
        });
        return value;
    }
}
