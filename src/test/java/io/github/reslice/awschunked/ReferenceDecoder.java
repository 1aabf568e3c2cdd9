package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a whole {@code aws-chunked} body from its bytes, strictly and without sharing a line with the code under test.
 *
 * <pre>{@code
 * ReferenceDecoder.Body body = ReferenceDecoder.decode(wire);
 * assertThat(body.payload()).isEqualTo(expected);
 * assertThat(body.chunkSizes()).containsExactly(8192, 8192, 17);
 * assertThat(body.trailers()).containsEntry("x-amz-checksum-crc32", "DUoRhQ==");
 * }</pre>
 *
 * <p>It takes what the format's description allows and nothing else: a size in lower-case hex without leading zeros,
 * CRLF line ends, trailers without a space after the colon, one empty line at the very end. It says nothing about the
 * minimum chunk size, checksums or signatures; a test that cares looks at the parts.
 */
public final class ReferenceDecoder {

    private static final String SIGNATURE = ";chunk-signature=";

    private final byte[] wire;
    private int position;

    private ReferenceDecoder(byte[] wire) {
        this.wire = wire;
    }

    /** The parts of a body, or {@link Malformed} with the place where it stops being one. */
    public static Body decode(byte[] wire) {
        return new ReferenceDecoder(wire.clone()).body();
    }

    private Body body() {
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        List<Integer> chunkSizes = new ArrayList<>();
        List<String> signatures = new ArrayList<>();
        for (int size = chunkHeader(signatures); size > 0; size = chunkHeader(signatures)) {
            if (size > wire.length - position) {
                throw malformed("a chunk of " + size + " bytes, of which " + (wire.length - position) + " are there");
            }
            payload.write(wire, position, size);
            position += size;
            chunkSizes.add(size);
            String rest = line();
            if (!rest.isEmpty()) {
                throw malformed("a chunk that goes on after its " + size + " bytes");
            }
        }
        Map<String, String> trailers = trailers();
        if (position != wire.length) {
            throw malformed((wire.length - position) + " bytes after the end");
        }
        return new Body(payload.toByteArray(), chunkSizes, signatures, trailers);
    }

    private int chunkHeader(List<String> signatures) {
        String header = line();
        int semicolon = header.indexOf(';');
        String size = semicolon < 0 ? header : header.substring(0, semicolon);
        if (!size.matches("0|[1-9a-f][0-9a-f]{0,6}|[1-7][0-9a-f]{7}")) {
            throw malformed("a chunk size '" + size + "'");
        }
        if (semicolon >= 0) {
            String extension = header.substring(semicolon);
            if (!extension.matches(SIGNATURE + "([0-9a-f]{64}|[0-9a-f]+\\**)")) {
                throw malformed("a chunk extension '" + extension + "'");
            }
            signatures.add(extension.substring(SIGNATURE.length()));
        }
        return Integer.parseInt(size, 16);
    }

    private Map<String, String> trailers() {
        Map<String, String> trailers = new LinkedHashMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon < 1 || !line.substring(0, colon).matches("[a-z0-9-]+")) {
                throw malformed("a trailer '" + line + "'");
            }
            String value = line.substring(colon + 1);
            if (!value.equals(value.strip())) {
                throw malformed("space around a trailer's value in '" + line + "'");
            }
            if (trailers.put(line.substring(0, colon), value) != null) {
                throw malformed("a second trailer '" + line + "'");
            }
        }
        return trailers;
    }

    private String line() {
        for (int end = position; end < wire.length; end++) {
            if (wire[end] == '\n') {
                throw malformed("LF without CR");
            }
            if (wire[end] == '\r') {
                if (end + 1 == wire.length || wire[end + 1] != '\n') {
                    throw malformed("CR without LF");
                }
                String line = new String(wire, position, end - position, US_ASCII);
                position = end + 2;
                return line;
            }
        }
        throw malformed("a line without an end");
    }

    private Malformed malformed(String what) {
        return new Malformed(what + " (near byte " + position + " of " + wire.length + ")");
    }

    /** The bytes are no {@code aws-chunked} body. */
    public static final class Malformed extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Malformed(String message) {
            super(message);
        }
    }

    /** What a body was made of. */
    public static final class Body {

        private final byte[] payload;
        private final List<Integer> chunkSizes;
        private final List<String> signatures;
        private final Map<String, String> trailers;

        Body(byte[] payload, List<Integer> chunkSizes, List<String> signatures, Map<String, String> trailers) {
            this.payload = payload;
            this.chunkSizes = List.copyOf(chunkSizes);
            this.signatures = List.copyOf(signatures);
            this.trailers = Collections.unmodifiableMap(trailers);
        }

        /** The chunks' data, joined. */
        public byte[] payload() {
            return payload.clone();
        }

        /** The data chunks' sizes in order, without the last chunk's zero. */
        public List<Integer> chunkSizes() {
            return chunkSizes;
        }

        /** The chunk signatures in order, the last chunk's too; empty for an unsigned body. */
        public List<String> signatures() {
            return signatures;
        }

        /** The trailers in the order of the wire. */
        public Map<String, String> trailers() {
            return trailers;
        }
    }
}
