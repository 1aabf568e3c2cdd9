package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/**
 * Says whether a whole body is to be taken, from the format's description and the settings, as plainly as can be: all
 * bytes are at hand, lines are strings, and no code of the decoder's is used.
 *
 * <p>{@link ReferenceDecoder} reads what an encoder may write; this one takes all that clients send, and checks it.
 */
final class PlainDecoder {

    private static final Pattern UNSIGNED_HEADER = Pattern.compile("([0-9a-fA-F]{1,16})");
    private static final Pattern SIGNED_HEADER =
            Pattern.compile("([0-9a-fA-F]{1,16});chunk-signature=([0-9a-fA-F]{64})");
    private static final Pattern SIGNATURE = Pattern.compile("[0-9a-fA-F]{64}");
    private static final Pattern TRAILER =
            Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \\t]*:[ \\t]*((?:[!-~](?:[\\t -~]*[!-~])?)?)");

    private final byte[] wire;
    private final Announced announced;
    private final Limits limits;
    private final @Nullable PlainChunkSigner signer;

    private int position;
    private final ByteArrayOutputStream payload = new ByteArrayOutputStream();
    private byte[] unchecked = new byte[0];
    private int largestChunk;

    private PlainDecoder(byte[] wire, Announced announced, Limits limits, @Nullable PlainChunkSigner signer) {
        this.wire = wire;
        this.announced = announced;
        this.limits = limits;
        this.signer = signer;
    }

    /** Reads a body; without a signer, an unsigned one. */
    static Reading read(byte[] wire, Announced announced, Limits limits, @Nullable PlainChunkSigner signer) {
        PlainDecoder decoder = new PlainDecoder(wire, announced, limits, signer);
        String refusal = null;
        try {
            decoder.body();
        } catch (Refused e) {
            refusal = e.getMessage();
        }
        return new Reading(refusal, decoder.payload.toByteArray(), decoder.unchecked, decoder.largestChunk);
    }

    private void body() {
        int latest = 0;
        for (int size = chunk(latest); size > 0; size = chunk(latest)) {
            latest = size;
        }
        trailers();
        require(position == wire.length, "something after the end");
    }

    private int chunk(int latest) {
        Matcher header = match(signer == null ? UNSIGNED_HEADER : SIGNED_HEADER, line(limits.maxHeaderLine(), false));
        int size = size(header.group(1));
        Long declared = announced.decodedLength();
        if (size == 0) {
            require(declared == null || payload.size() == declared, "less than declared");
        } else {
            require(latest == 0 || latest >= limits.minChunkSize(), "a small chunk before the last");
            require(declared == null || payload.size() + (long) size <= declared, "more than declared");
        }
        largestChunk = Math.max(largestChunk, size);
        byte[] data = Arrays.copyOfRange(wire, position, (int) Math.min((long) position + size, wire.length));
        unchecked = data;
        require(data.length == size, "not all of a chunk");
        position += size;
        if (signer != null) {
            unchecked = Arrays.copyOf(data, Math.max(0, size - 1));
            require(signer.chunk(data).equals(lower(header.group(2))), "a chunk that was not signed so");
        }
        payload.writeBytes(data);
        unchecked = new byte[0];
        if (size > 0) {
            require(line(0, false).isEmpty(), "no CRLF behind a chunk");
        }
        return size;
    }

    private int size(String digits) {
        BigInteger size = new BigInteger(digits, 16);
        require(size.compareTo(BigInteger.valueOf(limits.maxChunkSize())) <= 0, "a large chunk");
        return size.intValueExact();
    }

    private void trailers() {
        Set<String> names = announced.trailers() == null ? Set.of() : announced.trailers();
        boolean signed = announced.mode() == Mode.SIGNED_WITH_TRAILER;
        TreeMap<String, String> came = new TreeMap<>();
        String signature = null;
        int room = limits.maxTrailerSize();
        for (String line = line(room, true); !line.isEmpty(); line = line(room, true)) {
            room -= line.length();
            Matcher trailer = match(TRAILER, line);
            String name = lower(trailer.group(1));
            require(signature == null, "something after the trailers' signature");
            if (signed && name.equals("x-amz-trailer-signature")) {
                signature = lower(match(SIGNATURE, trailer.group(2)).group());
            } else {
                require(names.contains(name), "a trailer that was not announced");
                require(came.put(name, trailer.group(2)) == null, "a trailer twice");
            }
        }
        require(came.keySet().equals(new TreeSet<>(names)), "no such trailer");
        if (signed && signer != null) {
            StringBuilder lines = new StringBuilder();
            came.forEach((name, value) ->
                    lines.append(name).append(':').append(value).append('\n'));
            require(signer.trailer(lines.toString()).equals(signature), "trailers that were not signed so");
        }
        came.forEach((name, value) -> require(isRight(name, value), "a wrong checksum"));
    }

    private boolean isRight(String name, String value) {
        return !name.startsWith("x-amz-checksum-") || value.equals(checksum(name, payload.toByteArray()));
    }

    /** The value that belongs into the trailer of a checksum. */
    static String checksum(String name, byte[] payload) {
        byte[] digest = switch (name) {
            case "x-amz-checksum-crc32" -> crc(new CRC32(), payload);
            case "x-amz-checksum-crc32c" -> crc(new CRC32C(), payload);
            case "x-amz-checksum-sha1" -> digest("SHA-1", payload);
            case "x-amz-checksum-sha256" -> digest("SHA-256", payload);
            default -> throw new IllegalArgumentException(name);
        };
        return Base64.getEncoder().encodeToString(digest);
    }

    private static byte[] crc(Checksum crc, byte[] payload) {
        crc.update(payload);
        return ByteBuffer.allocate(4).putInt((int) crc.getValue()).array();
    }

    private static byte[] digest(String name, byte[] payload) {
        try {
            return MessageDigest.getInstance(name).digest(payload);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private String line(int most, boolean mayEndInLfCrlf) {
        int end = position;
        while (end < wire.length && wire[end] != '\r' && wire[end] != '\n') {
            end++;
        }
        require(end - position <= most, "a long line");
        String line = new String(wire, position, end - position, ISO_8859_1);
        position = end;
        if (mayEndInLfCrlf && !line.isEmpty() && end < wire.length && wire[end] == '\n') {
            expect('\n');
        }
        expect('\r');
        expect('\n');
        return line;
    }

    private void expect(char c) {
        require(position < wire.length && wire[position] == c, "another line end");
        position++;
    }

    private static Matcher match(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        require(matcher.matches(), "a malformed line");
        return matcher;
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new Refused(otherwise);
        }
    }

    /**
     * What was read.
     *
     * @param refusal what is wrong, or null if the body is to be taken
     * @param payload the data of all chunks that have come and are as they were signed
     * @param unchecked what may be handed on of the chunk behind them: as far as it has come, but not its last byte if it was
     *     not signed so
     * @param largestChunk the largest size in a chunk's header
     */
    @SuppressWarnings("ArrayRecordComponent") // looked into, never compared
    record Reading(@Nullable String refusal, byte[] payload, byte[] unchecked, int largestChunk) {}

    private static final class Refused extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Refused(String what) {
            super(what, null, false, false);
        }
    }
}
