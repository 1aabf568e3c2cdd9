package io.github.reslice;

import io.github.reslice.awschunked.Announced;
import io.github.reslice.awschunked.Layout;
import io.github.reslice.awschunked.Mode;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.SignedHeaders;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a request says of its {@code aws-chunked} body, and whether one that was signed says the same. */
final class BodyHeaders {

    private static final String CONTENT_SHA256 = "x-amz-content-sha256";
    private static final String TRAILER = "x-amz-trailer";
    private static final String DECODED_LENGTH = "x-amz-decoded-content-length";

    private final SortedMap<String, String> withoutLength;

    BodyHeaders(Mode mode, Layout layout) {
        SortedMap<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put("Content-Encoding", "aws-chunked");
        headers.put(CONTENT_SHA256, mode.headerValue());
        List<String> trailers = layout.trailerNames();
        if (!trailers.isEmpty()) {
            headers.put(TRAILER, String.join(",", trailers));
        }
        ChecksumAlgorithm checksum = layout.checksum();
        if (checksum != null) {
            headers.put("x-amz-sdk-checksum-algorithm", checksum.name());
        }
        withoutLength = Collections.unmodifiableSortedMap(headers);
    }

    Map<String, String> withLength(long length) {
        SortedMap<String, String> headers = new TreeMap<>(withoutLength);
        headers.put(DECODED_LENGTH, Long.toString(length));
        return Collections.unmodifiableMap(headers);
    }

    Map<String, String> withoutLength() {
        return withoutLength;
    }

    /** Refuses a request that was signed for a body of another mode or with other trailers, whatever its length. */
    void requireSignedIn(SignedHeaders seed) {
        requireSigned(seed, CONTENT_SHA256, withoutLength.get(CONTENT_SHA256));
        requireSigned(seed, TRAILER, withoutLength.get(TRAILER));
    }

    /** Refuses one that was signed for another length too. */
    void requireSignedIn(SignedHeaders seed, long length) {
        requireSignedIn(seed);
        requireSigned(seed, DECODED_LENGTH, Long.toString(length));
    }

    /**
     * The payload's length that a request declares, or null. Its trailers are left aside: they are this side's own, and may be
     * such as nobody here could compute.
     */
    static @Nullable Long declaredLength(SignedHeaders seed) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(seed.headers());
        headers.remove(TRAILER);
        return Announced.in(headers).decodedLength();
    }

    private static void requireSigned(SignedHeaders seed, String name, @Nullable String value) {
        String signed = seed.headers().get(name);
        if (!Objects.equals(value, signed)) {
            throw new IllegalArgumentException("The seed must be signed with"
                    + (value == null ? "out " + name + ", as" : " " + name + ": " + value + ", which")
                    + " headers(...) gives; was signed " + (signed == null ? "without" : "with " + signed));
        }
    }
}
