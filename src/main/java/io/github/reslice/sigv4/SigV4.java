package io.github.reslice.sigv4;

import java.net.URI;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Signs requests with AWS Signature Version 4 in the {@code Authorization} header, by S3's rules.
 *
 * <pre>{@code
 * SigV4 sigv4 = SigV4.builder().region("us-east-1").build();
 *
 * URI uri = URI.create("http://127.0.0.1:9000/bucket/key");
 * SignedHeaders signed = sigv4.sign("PUT", uri, headers, AwsCredentials.of(accessKey, secretKey));
 *
 * HttpRequest.Builder request = HttpRequest.newBuilder(signed.uri()).PUT(body);
 * signed.headers().forEach(request::header);
 * }</pre>
 *
 * <p><strong>Send to {@link SignedHeaders#uri()}</strong>: S3 signs a path with every byte percent-encoded but letters,
 * digits, {@code -._~} and {@code /}, once. The given URI is brought to that form, and only to that: {@code //},
 * {@code .} and {@code ..} are part of a key and stay. A {@code +} is a plus, and {@code %2F} is a slash, in the path.
 *
 * <p>Every given header is signed, but the few that proxies change ({@code Connection}, {@code Expect},
 * {@code Transfer-Encoding}, {@code Upgrade}, {@code User-Agent}, {@code X-Amzn-Trace-Id}). Of a header that comes more
 * than once, give the values joined by commas. A value outside ASCII is signed in UTF-8, and must be sent so, which not
 * every HTTP client does.
 *
 * <ul>
 *   <li>{@code Host} is taken from the URI, with the port unless it is the scheme's own. One that is given is signed
 *       instead; the caller sends it.
 *   <li>{@code Content-Length} is signed if it is given. The HTTP client writes it, so it is not in the result.
 *   <li>{@code x-amz-content-sha256}, if it is given, says what is signed for the payload: its hash, or a mode of S3's.
 *       Without it S3 is sent {@code UNSIGNED-PAYLOAD}; any other service is taken to get no payload, and no such
 *       header.
 *   <li>{@code Authorization}, {@code x-amz-date} and {@code x-amz-security-token} are always made anew: what was signed
 *       before can be signed again.
 * </ul>
 *
 * <p>Immutable and thread-safe: make one, share it.
 *
 * <p>Source: <a href="https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html">the S3 API
 * reference</a> and <a
 * href="https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html">the IAM user
 * guide</a>.
 */
public final class SigV4 {

    static final String ALGORITHM = "AWS4-HMAC-SHA256";

    private static final String AUTHORIZATION = "Authorization";
    private static final String CONTENT_SHA256 = "x-amz-content-sha256";
    private static final String DATE = "x-amz-date";
    private static final String SECURITY_TOKEN = "x-amz-security-token";
    private static final String HOST = "host";

    /** What proxies on the way may change. */
    private static final Set<String> UNSIGNED =
            Set.of("connection", "expect", "transfer-encoding", "upgrade", "user-agent", "x-amzn-trace-id");

    /** What the HTTP client writes itself; java.net.http refuses to be given any of these but Transfer-Encoding. */
    private static final Set<String> LEFT_TO_THE_CLIENT =
            Set.of(HOST, "content-length", "transfer-encoding", "connection", "expect", "upgrade");

    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final String region;
    private final String service;
    private final Clock clock;

    private SigV4(String region, String service, Clock clock) {
        this.region = region;
        this.service = service;
        this.clock = clock;
    }

    /**
     * Starts a signer; the region must be given.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Signs a request, as of now.
     *
     * @param method the HTTP method, {@code PUT}
     * @param uri where it goes: http or https, with a host
     * @param headers the headers to sign and send
     * @param credentials who sends it
     * @return the headers to send, and the URI to send them to
     * @throws IllegalArgumentException if the method or a header's name is not a token, a header's value has a control
     *     character, two names differ in case only, {@code x-amz-content-sha256} is blank, or the URI has no host, has
     *     user information or is neither http nor https
     */
    public SignedHeaders sign(String method, URI uri, Map<String, String> headers, AwsCredentials credentials) {
        HeaderSyntax.checkToken("method", Objects.requireNonNull(method, "method"));
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(headers, "headers");
        Objects.requireNonNull(credentials, "credentials");
        RequestTarget target = RequestTarget.of(uri);
        NavigableMap<String, String> all = HeaderSyntax.checkedCopy(headers);
        String timestamp = TIMESTAMP.format(clock.instant());
        Scope scope = new Scope(timestamp.substring(0, 8), region, service);

        all.remove(AUTHORIZATION);
        replace(all, DATE, timestamp);
        replace(all, SECURITY_TOKEN, credentials.sessionToken());
        if (service.equals("s3")) {
            all.putIfAbsent(CONTENT_SHA256, "UNSIGNED-PAYLOAD");
        }
        all.putIfAbsent(HOST, target.host());

        CanonicalRequest request = CanonicalRequest.of(method, target, without(UNSIGNED, all), payloadHash(all));
        SigningKey key = SigningKey.derive(credentials.secretKey(), scope);
        String signature = key.sign(request.stringToSign(timestamp, scope));

        NavigableMap<String, String> sent = without(LEFT_TO_THE_CLIENT, all);
        sent.put(
                AUTHORIZATION,
                "%s Credential=%s/%s, SignedHeaders=%s, Signature=%s"
                        .formatted(ALGORITHM, credentials.accessKey(), scope, request.signedHeaders(), signature));
        return new SignedHeaders(target.uri(), Collections.unmodifiableMap(sent), timestamp, scope, key, signature);
    }

    /**
     * The URI that a request is signed for and must be sent to, {@link SignedHeaders#uri()}: for an HTTP client that wants
     * it before the headers are known.
     *
     * @param uri where the request goes: http or https, with a host
     * @return the same place, path and query encoded as they are signed
     * @throws IllegalArgumentException if the URI has no host, has user information or is neither http nor https
     */
    public static URI signedForm(URI uri) {
        return RequestTarget.of(uri).uri();
    }

    private static void replace(NavigableMap<String, String> headers, String name, @Nullable String value) {
        headers.remove(name); // put alone would keep the caller's spelling of the name
        if (value != null) {
            headers.put(name, value);
        }
    }

    private static NavigableMap<String, String> without(Set<String> names, NavigableMap<String, String> headers) {
        NavigableMap<String, String> rest = new TreeMap<>(headers);
        names.forEach(rest::remove);
        return rest;
    }

    private static String payloadHash(NavigableMap<String, String> headers) {
        String given = headers.getOrDefault(CONTENT_SHA256, CanonicalRequest.EMPTY_HASH)
                .strip();
        if (given.isEmpty()) {
            throw new IllegalArgumentException(
                    CONTENT_SHA256 + " is blank: it is the payload's hash, UNSIGNED-PAYLOAD or a streaming mode");
        }
        return given;
    }

    /**
     * The region and the service.
     *
     * @return for example {@code SigV4[us-east-1/s3]}
     */
    @Override
    public String toString() {
        return "SigV4[" + region + "/" + service + "]";
    }

    /** Makes a {@link SigV4}. Not thread-safe. */
    public static final class Builder {

        private @Nullable String region;
        private String service = "s3";
        private Clock clock = Clock.systemUTC();

        private Builder() {}

        /**
         * The region that the request goes to. A store that has none takes {@code us-east-1}, as a rule.
         *
         * @param region for example {@code us-east-1}
         * @return this
         * @throws IllegalArgumentException if it is empty or has anything but letters, digits, {@code -}, {@code _} and
         *     {@code .}
         */
        public Builder region(String region) {
            this.region = Scope.checkPart("region", region);
            return this;
        }

        /**
         * The service that the request goes to; {@code s3} by default.
         *
         * @param service for example {@code s3}
         * @return this
         * @throws IllegalArgumentException if it is empty or has anything but letters, digits, {@code -}, {@code _} and
         *     {@code .}
         */
        public Builder service(String service) {
            this.service = Scope.checkPart("service", service);
            return this;
        }

        /**
         * Where the time comes from; the system's clock by default. For tests, and for machines whose clock is wrong:
         * S3 takes a request within 15 minutes of its own time.
         *
         * @param clock the clock, in any zone
         * @return this
         */
        public Builder clock(Clock clock) {
            this.clock = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /**
         * The signer.
         *
         * @return a signer
         * @throws IllegalArgumentException if no region was given
         */
        public SigV4 build() {
            if (region == null) {
                throw new IllegalArgumentException("no region: a signature is for one, us-east-1 for example");
            }
            return new SigV4(region, service, clock);
        }
    }
}
