package io.github.reslice.sigv4;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request in the form that both sides agree on before they sign it: the method, the path, the query, the signed
 * headers with their names in lower case and in order, the list of those names, and the payload's hash.
 */
final class CanonicalRequest {

    /** What S3 writes for the hash of nothing. */
    static final String EMPTY_HASH = sha256("");

    private final String text;
    private final String signedHeaders;

    private CanonicalRequest(String text, String signedHeaders) {
        this.text = text;
        this.signedHeaders = signedHeaders;
    }

    /** The canonical request over these headers, all of which are signed. */
    static CanonicalRequest of(String method, RequestTarget target, Map<String, String> headers, String payloadHash) {
        Map<String, String> canonical = new TreeMap<>();
        headers.forEach((name, value) -> canonical.put(name.toLowerCase(Locale.ROOT), collapse(value)));
        String signedHeaders = String.join(";", canonical.keySet());

        StringBuilder text = new StringBuilder();
        text.append(method).append('\n');
        text.append(target.path()).append('\n');
        text.append(target.canonicalQuery()).append('\n');
        canonical.forEach(
                (name, value) -> text.append(name).append(':').append(value).append('\n'));
        text.append('\n');
        text.append(signedHeaders).append('\n');
        text.append(payloadHash);
        return new CanonicalRequest(text.toString(), signedHeaders);
    }

    /** Trimmed, and one space for each run of white space, between quotes as well. */
    private static String collapse(String value) {
        return value.replaceAll("[ \t]+", " ").trim();
    }

    String text() {
        return text;
    }

    /** The names of the signed headers: {@code host;x-amz-date}. */
    String signedHeaders() {
        return signedHeaders;
    }

    /** What is signed in the end: the algorithm, the time, the scope and this request's hash. */
    String stringToSign(String timestamp, Scope scope) {
        return String.join("\n", SigV4.ALGORITHM, timestamp, scope.toString(), sha256(text));
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime has no SHA-256", e);
        }
    }

    /** Not the text, which has the session token in it. */
    @Override
    public String toString() {
        return "CanonicalRequest[" + signedHeaders + "]";
    }
}
