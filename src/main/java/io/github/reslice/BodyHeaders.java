package io.github.reslice;

import io.github.reslice.awschunked.Layout;
import io.github.reslice.awschunked.Mode;
import io.github.reslice.checksum.ChecksumAlgorithm;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a request says of its {@code aws-chunked} body. */
final class BodyHeaders {

    static final String CONTENT_SHA256 = "x-amz-content-sha256";
    static final String TRAILER = "x-amz-trailer";
    static final String DECODED_LENGTH = "x-amz-decoded-content-length";

    private BodyHeaders() {}

    static Map<String, String> of(Mode mode, Layout layout, long length) {
        Map<String, String> headers = common(mode, layout);
        headers.put(DECODED_LENGTH, Long.toString(length));
        return Collections.unmodifiableMap(headers);
    }

    static Map<String, String> of(Mode mode, Layout layout) {
        return Collections.unmodifiableMap(common(mode, layout));
    }

    private static Map<String, String> common(Mode mode, Layout layout) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
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
        return headers;
    }
}
