package io.github.reslice.sigv4;

import io.github.reslice.sigv4.SignatureRefusedException.Reason;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads and verifies the signatures of requests that come in: AWS Signature Version 4, in the {@code Authorization} header
 * or in a presigned URL's query, by S3's rules.
 *
 * <pre>{@code
 * SigV4Verifier verifier = SigV4Verifier.builder().region("us-east-1").build();
 *
 * PresentedSignature presented = verifier.read("PUT", rawPath, rawQuery, headers);
 * AwsCredentials credentials = lookUp(presented.accessKey());     // yours
 * SignedHeaders seed = presented.verify(credentials);             // or a SignatureRefusedException
 * }</pre>
 *
 * <p><strong>Give path and query as they were on the wire.</strong> Each {@code %XX} is decoded once and encoded again, and
 * that is all: {@code //}, {@code .} and {@code ..} stay, a plus is a plus. A path that a framework has decoded, or
 * cleaned up, is another path. Of headers, give all, each value as the server gives it (a character for each byte).
 *
 * <p>{@link #read} refuses all that needs no secret to be refused:
 *
 * <ul>
 *   <li>no signature, more than one, one in the header and one in the query, one of another kind or form;
 *   <li>a signature that does not cover {@code host} and <em>every</em> {@code x-amz-*} header there is, or that covers a
 *       header which is not there. Other headers may be unsigned, {@code Content-Type} too, as S3 has it;
 *   <li>another region or service than this one's, a scope of another day than the date's;
 *   <li>a date more than {@linkplain Builder#allowedSkew the allowed skew} away from the clock. A presigned URL lives from
 *       its date on, for {@code X-Amz-Expires}, at most 7 days;
 *   <li>an {@code x-amz-content-sha256} that is neither a hash nor a mode, or is missing (S3 wants it, but for presigned
 *       URLs), and streaming modes in presigned URLs, whose bodies are plain. It may be in a presigned URL's query
 *       ({@code X-Amz-Content-Sha256}).
 * </ul>
 *
 * <p>The date is read from {@code x-amz-date}; {@code Date} alone is not enough. Not known: SigV4a, Signature Version 2, and
 * the policies of browsers' form uploads.
 *
 * <p><strong>A signature proves who made the request, not that it came once</strong>: within its time it can be sent again.
 *
 * <p>Immutable and thread-safe: make one, share it.
 *
 * <p>Source: <a href="https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html">the S3 API
 * reference</a>, <a href="https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html">also on presigned
 * URLs</a>.
 */
public final class SigV4Verifier {

    private final @Nullable String region;
    private final String service;
    private final Clock clock;
    private final Duration allowedSkew;

    private SigV4Verifier(Builder settings) {
        region = settings.region;
        service = settings.service;
        clock = settings.clock;
        allowedSkew = settings.allowedSkew;
    }

    /**
     * Starts a verifier; nothing must be given.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Reads a request's signature and checks all that can be checked without the secret key, as of now.
     *
     * @param method the HTTP method, {@code PUT}
     * @param rawPath the path as it was on the wire, percent-encoded
     * @param rawQuery the query as it was on the wire, without the question mark; null if there is none
     * @param headers all headers; names in any case
     * @return the signature, to be {@linkplain PresentedSignature#verify verified}
     * @throws SignatureRefusedException if it cannot be accepted, whoever made it
     */
    public PresentedSignature read(
            String method, String rawPath, @Nullable String rawQuery, Map<String, List<String>> headers) {
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(rawPath, "rawPath");
        ReceivedHeaders received = new ReceivedHeaders(Objects.requireNonNull(headers, "headers"));
        RequestTarget target = target(rawPath, rawQuery, received);
        SignatureClaim claim = claim(target, received);
        checkScope(claim);
        checkTime(claim);
        checkCoverage(claim, received);
        String contentSha256 = ContentSha256.of(claim, target, received, service);

        NavigableMap<String, String> signed = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        claim.signedHeaders().forEach(name -> signed.put(name, Objects.requireNonNull(received.joined(name))));
        CanonicalRequest request = CanonicalRequest.of(
                method, claim.presigned() ? target.without("X-Amz-Signature") : target, signed, contentSha256);
        return new PresentedSignature(claim, request, uri(target), Collections.unmodifiableMap(signed), contentSha256);
    }

    private static RequestTarget target(String rawPath, @Nullable String rawQuery, ReceivedHeaders headers) {
        String host = headers.joined("host");
        if (host == null || host.isEmpty() || headers.values("host").size() > 1) {
            throw new SignatureRefusedException(Reason.MALFORMED_REQUEST, "There must be one Host header");
        }
        try {
            return RequestTarget.received(host, rawPath, rawQuery);
        } catch (IllegalArgumentException e) {
            throw new SignatureRefusedException(
                    Reason.MALFORMED_URI,
                    "The path or the query is not percent-encoded text, or the query has a bare plus");
        }
    }

    private static URI uri(RequestTarget target) {
        try {
            URI uri = target.uri();
            if (target.host().equals(uri.getRawAuthority())) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            // refused as one that is a URI, but another
        }
        throw new SignatureRefusedException(Reason.MALFORMED_REQUEST, "The Host header names no host");
    }

    private static SignatureClaim claim(RequestTarget target, ReceivedHeaders headers) {
        List<String> authorizations = headers.values("authorization");
        boolean inQuery = SignatureClaim.isIn(target);
        if (authorizations.isEmpty() && !inQuery) {
            throw new SignatureRefusedException(Reason.NO_CREDENTIALS, "The request is not signed");
        }
        if (authorizations.size() + (inQuery ? 1 : 0) > 1) {
            throw new SignatureRefusedException(
                    Reason.SEVERAL_CREDENTIALS,
                    "The request has more than one authorization: there may be one Authorization header, or the query's");
        }
        return inQuery
                ? SignatureClaim.inQuery(target, headers)
                : SignatureClaim.inHeader(authorizations.get(0), headers);
    }

    private void checkScope(SignatureClaim claim) {
        if (region != null && !claim.scope().region().equals(region)) {
            throw claim.malformed("the region '" + claim.scope().region() + "' is wrong; expecting '" + region + "'");
        }
        if (!claim.scope().service().equals(service)) {
            throw claim.malformed(
                    "the service '" + claim.scope().service() + "' is wrong; expecting '" + service + "'");
        }
    }

    private void checkTime(SignatureClaim claim) {
        Instant now = clock.instant();
        Duration age = Duration.between(claim.signedAt(), now);
        Duration lifetime = claim.lifetime();
        if (lifetime == null) {
            if (age.abs().compareTo(allowedSkew) > 0) {
                throw new SignatureRefusedException(
                        Reason.CLOCK_SKEW,
                        "The request is of " + claim.timestamp() + ", which is more than " + allowedSkew.toSeconds()
                                + " s away from the server's time, " + now);
            }
        } else if (age.negated().compareTo(allowedSkew) > 0) {
            throw new SignatureRefusedException(Reason.NOT_YET_VALID, "The URL is not valid yet at " + now);
        } else if (age.compareTo(lifetime) > 0) {
            throw new SignatureRefusedException(
                    Reason.EXPIRED, "The URL has expired at " + claim.signedAt().plus(lifetime));
        }
    }

    private static void checkCoverage(SignatureClaim claim, ReceivedHeaders headers) {
        Set<String> signed = Set.copyOf(claim.signedHeaders());
        for (String name : headers.names()) {
            if ((name.startsWith("x-amz-") || name.equals("host")) && !signed.contains(name)) {
                throw new SignatureRefusedException(
                        Reason.HEADER_NOT_SIGNED, "The request has a header that must be signed and is not: " + name);
            }
        }
        for (String name : signed) {
            if (headers.values(name).isEmpty()) {
                throw claim.malformed("the header " + name + " is signed, but the request does not have it");
            }
        }
    }

    /**
     * The region, {@code *} for any, and the service.
     *
     * @return for example {@code SigV4Verifier[us-east-1/s3]}
     */
    @Override
    public String toString() {
        return "SigV4Verifier[" + (region == null ? "*" : region) + "/" + service + "]";
    }

    /** Makes a {@link SigV4Verifier}. Not thread-safe. */
    public static final class Builder {

        private @Nullable String region;
        private String service = "s3";
        private Clock clock = Clock.systemUTC();
        private Duration allowedSkew = Duration.ofMinutes(15);

        private Builder() {}

        /**
         * The region that requests must be signed for. By default any will do.
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
         * The service that requests must be signed for; {@code s3} by default.
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
         * Where the time comes from; the system's clock by default.
         *
         * @param clock the clock, in any zone
         * @return this
         */
        public Builder clock(Clock clock) {
            this.clock = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /**
         * How far a request's date may be from the clock, either way; 15 minutes by default, as S3 has it.
         *
         * @param allowedSkew from zero to a day
         * @return this
         * @throws IllegalArgumentException if it is below zero or above a day
         */
        public Builder allowedSkew(Duration allowedSkew) {
            if (allowedSkew.isNegative() || allowedSkew.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException("allowed skew " + allowedSkew + ": from PT0S to PT24H are allowed");
            }
            this.allowedSkew = allowedSkew;
            return this;
        }

        /**
         * The verifier.
         *
         * @return a verifier
         */
        public SigV4Verifier build() {
            return new SigV4Verifier(this);
        }
    }
}
