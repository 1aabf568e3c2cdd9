package io.github.reslice.sigv4;

import java.net.URI;
import java.util.Map;

/**
 * A signed request: the headers to send, and the URI to send them to.
 *
 * <pre>{@code
 * SignedHeaders seed = sigv4.sign("PUT", uri, headers, credentials);
 * HttpRequest.Builder request = HttpRequest.newBuilder(seed.uri());
 * seed.headers().forEach(request::header);
 * }</pre>
 *
 * <p><strong>Send it to {@link #uri()}, not to the URI that was given</strong>: the signature is over this path and
 * query, and the other may write the same key in another way.
 *
 * <p>Immutable. The signature is also where the signatures of the body's chunks start, which is why it is called a
 * seed. {@link #toString()} shows no header's value.
 *
 * <p>{@link PresentedSignature#verify} gives one for a request that came in.
 *
 * @see SigV4
 */
public final class SignedHeaders {

    private final URI uri;
    private final Map<String, String> headers;
    private final String timestamp;
    private final Scope scope;
    private final SigningKey signingKey;
    private final String signature;

    SignedHeaders(
            URI uri,
            Map<String, String> headers,
            String timestamp,
            Scope scope,
            SigningKey signingKey,
            String signature) {
        this.uri = uri;
        this.headers = headers;
        this.timestamp = timestamp;
        this.scope = scope;
        this.signingKey = signingKey;
        this.signature = signature;
    }

    /**
     * All headers to send: those given to {@link SigV4#sign} and those of the signature ({@code Authorization},
     * {@code x-amz-date}, {@code x-amz-content-sha256} for S3, and {@code x-amz-security-token} with a session token).
     * Not those that the HTTP client writes itself, and {@code java.net.http} refuses to be given: {@code Host},
     * {@code Content-Length}, {@code Transfer-Encoding}, {@code Connection}, {@code Expect} and {@code Upgrade}, even
     * if they were given.
     *
     * <p><strong>The session token is among them</strong>: a log of this map is a log of the token.
     *
     * @return an unmodifiable map in which {@code x-amz-date} and {@code X-Amz-Date} are the same name
     */
    public Map<String, String> headers() {
        return headers;
    }

    /**
     * The URI to send the request to, its path and query encoded as they were signed: nothing collapsed, the query's
     * parameters in their order, no fragment.
     *
     * @return the URI
     */
    public URI uri() {
        return uri;
    }

    /**
     * The time of the signature, as {@code x-amz-date} has it.
     *
     * @return for example {@code 20130524T000000Z}
     */
    public String timestamp() {
        return timestamp;
    }

    /**
     * What the signing key is good for: the day, the region, the service.
     *
     * @return for example {@code 20130524/us-east-1/s3/aws4_request}
     */
    public String scope() {
        return scope.toString();
    }

    /**
     * The signature, as the {@code Authorization} header has it.
     *
     * @return 64 hexadecimal digits in lower case
     */
    public String signature() {
        return signature;
    }

    SigningKey signingKey() {
        return signingKey;
    }

    /**
     * When and for what it was signed, and the headers' names.
     *
     * @return no header's value, no key and no token
     */
    @Override
    public String toString() {
        return "SignedHeaders[" + timestamp + " " + scope + " " + headers.keySet() + "]";
    }
}
