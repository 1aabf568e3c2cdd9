package io.github.reslice.sigv4;

import io.github.reslice.sigv4.SignatureRefusedException.Reason;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a request says of its own signature, in the Authorization header or in a presigned URL's query. It has the right
 * form, and nothing more is known of it.
 *
 * @param signedHeaders the signed headers' names, in lower case and in order
 * @param signedAt the timestamp as an instant
 * @param lifetime how long a presigned URL is good for; null if the signature is in the header
 */
record SignatureClaim(
        String accessKey,
        Scope scope,
        List<String> signedHeaders,
        String signature,
        String timestamp,
        Instant signedAt,
        @Nullable String sessionToken,
        @Nullable Duration lifetime) {

    private static final int LONGEST_LIFETIME = 7 * 24 * 60 * 60;

    /** An access key may have slashes in it, the scope's parts have none. */
    private static final Pattern CREDENTIAL =
            Pattern.compile("([!-~]+)/([0-9]{8})/([A-Za-z0-9._-]+)/([A-Za-z0-9._-]+)/([A-Za-z0-9_]+)");

    private static final Pattern SIGNATURE = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern TIMESTAMP = Pattern.compile("[0-9]{8}T[0-9]{6}Z");
    private static final Pattern SECONDS = Pattern.compile("[1-9][0-9]{0,5}");
    private static final DateTimeFormatter INSTANT = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC)
            .withResolverStyle(ResolverStyle.STRICT);

    /** Reads the header's value: {@code AWS4-HMAC-SHA256 Credential=..., SignedHeaders=..., Signature=...}. */
    static SignatureClaim inHeader(String authorization, ReceivedHeaders headers) {
        String[] algorithmAndRest = authorization.strip().split("[ \t]+", 2);
        checkAlgorithm(algorithmAndRest[0]);
        Map<String, String> parts = new HashMap<>();
        for (String part : algorithmAndRest.length < 2 ? new String[0] : algorithmAndRest[1].split(",", -1)) {
            String[] nameAndValue = part.strip().split("=", 2);
            if (nameAndValue.length < 2 || parts.put(nameAndValue[0], nameAndValue[1]) != null) {
                throw malformed(
                        "its parts are Credential=, SignedHeaders= and Signature=, each once", Reason.MALFORMED_HEADER);
            }
        }
        if (parts.size() > 3) {
            throw malformed("it has more than Credential=, SignedHeaders= and Signature=", Reason.MALFORMED_HEADER);
        }
        String timestamp = headers.joined("x-amz-date");
        Instant signedAt = timestamp == null ? null : instant(timestamp);
        if (timestamp == null || signedAt == null) {
            throw new SignatureRefusedException(
                    Reason.NO_DATE, "The header x-amz-date is missing, or is no date like 20130524T000000Z");
        }
        return of(parts, timestamp, signedAt, headers.joined("x-amz-security-token"), null, Reason.MALFORMED_HEADER);
    }

    private static void checkAlgorithm(String algorithm) {
        if (algorithm.equals("AWS") || algorithm.startsWith("AWS4-ECDSA-")) {
            throw new SignatureRefusedException(
                    Reason.UNSUPPORTED_SIGNATURE,
                    "The request is signed by " + (algorithm.equals("AWS") ? "AWS Signature Version 2" : algorithm)
                            + "; use AWS4-HMAC-SHA256");
        }
        if (!algorithm.equals(SigV4.ALGORITHM)) {
            throw new SignatureRefusedException(
                    Reason.UNKNOWN_AUTHORIZATION, "The Authorization is of an unknown type; use AWS4-HMAC-SHA256");
        }
    }

    /** Whether the query has a signature, or something of one. */
    static boolean isIn(RequestTarget target) {
        if (!target.values("AWSAccessKeyId").isEmpty()) {
            checkAlgorithm("AWS");
        }
        return Stream.of("X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature")
                .anyMatch(name -> !target.values(name).isEmpty());
    }

    /** Reads a presigned URL's query: {@code X-Amz-Algorithm} and its like. */
    static SignatureClaim inQuery(RequestTarget target, ReceivedHeaders headers) {
        checkAlgorithm(one(target, "X-Amz-Algorithm"));
        Map<String, String> parts = new HashMap<>();
        for (String name : List.of("Credential", "SignedHeaders", "Signature")) {
            parts.put(name, one(target, "X-Amz-" + name));
        }
        String timestamp = one(target, "X-Amz-Date");
        Instant signedAt = instant(timestamp);
        if (signedAt == null) {
            throw malformed("X-Amz-Date is no date like 20130524T000000Z", Reason.MALFORMED_QUERY);
        }
        String seconds = one(target, "X-Amz-Expires");
        if (!SECONDS.matcher(seconds).matches() || Integer.parseInt(seconds) > LONGEST_LIFETIME) {
            throw malformed(
                    "X-Amz-Expires is not a number of seconds from 1 to " + LONGEST_LIFETIME, Reason.MALFORMED_QUERY);
        }
        return of(
                parts,
                timestamp,
                signedAt,
                token(target, headers),
                Duration.ofSeconds(Integer.parseInt(seconds)),
                Reason.MALFORMED_QUERY);
    }

    private static @Nullable String token(RequestTarget target, ReceivedHeaders headers) {
        String inHeader = headers.joined("x-amz-security-token");
        if (target.values("X-Amz-Security-Token").isEmpty()) {
            return inHeader;
        }
        if (inHeader != null) {
            throw malformed("the session token is in the query and in a header", Reason.MALFORMED_QUERY);
        }
        return one(target, "X-Amz-Security-Token");
    }

    private static String one(RequestTarget target, String name) {
        List<String> values = target.values(name);
        if (values.size() != 1) {
            throw malformed("it has " + (values.isEmpty() ? "no " : "more than one ") + name, Reason.MALFORMED_QUERY);
        }
        return values.get(0);
    }

    private static SignatureClaim of(
            Map<String, String> parts,
            String timestamp,
            Instant signedAt,
            @Nullable String sessionToken,
            @Nullable Duration lifetime,
            Reason malformed) {
        Matcher credential = CREDENTIAL.matcher(parts.getOrDefault("Credential", ""));
        if (!credential.matches() || !credential.group(5).equals(Scope.TERMINATOR)) {
            throw malformed(
                    "the credential is not like accesskey/20130524/us-east-1/s3/" + Scope.TERMINATOR, malformed);
        }
        if (!timestamp.startsWith(credential.group(2))) {
            throw malformed("the credential is for another day than the request's date", malformed);
        }
        List<String> signedHeaders =
                List.of(parts.getOrDefault("SignedHeaders", "").split(";", -1));
        if (!List.copyOf(new TreeSet<>(signedHeaders)).equals(signedHeaders)
                || !signedHeaders.stream().allMatch(SignatureClaim::isLowerCaseToken)) {
            throw malformed(
                    "the signed headers are not a list of names in lower case and in order, like host;x-amz-date",
                    malformed);
        }
        String signature = parts.getOrDefault("Signature", "");
        if (!SIGNATURE.matcher(signature).matches()) {
            throw malformed("the signature does not have 64 hexadecimal digits in lower case", malformed);
        }
        Scope scope = new Scope(credential.group(2), credential.group(3), credential.group(4));
        return new SignatureClaim(
                credential.group(1), scope, signedHeaders, signature, timestamp, signedAt, sessionToken, lifetime);
    }

    private static boolean isLowerCaseToken(String name) {
        try {
            HeaderSyntax.checkToken("header", name);
        } catch (IllegalArgumentException e) {
            return false;
        }
        return name.equals(name.toLowerCase(Locale.ROOT));
    }

    private static @Nullable Instant instant(String timestamp) {
        if (!TIMESTAMP.matcher(timestamp).matches()) {
            return null;
        }
        try {
            return INSTANT.parse(timestamp, Instant::from);
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    boolean presigned() {
        return lifetime != null;
    }

    /** A refusal of this claim by what it says. */
    SignatureRefusedException malformed(String what) {
        return malformed(what, presigned() ? Reason.MALFORMED_QUERY : Reason.MALFORMED_HEADER);
    }

    private static SignatureRefusedException malformed(String what, Reason reason) {
        String where = reason == Reason.MALFORMED_QUERY ? "The query" : "The Authorization header";
        return new SignatureRefusedException(reason, where + " cannot be accepted: " + what);
    }

    /** Not the token. */
    @Override
    public String toString() {
        return "SignatureClaim[" + accessKey + "/" + scope + " " + timestamp + " " + signedHeaders + "]";
    }
}
