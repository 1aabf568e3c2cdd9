package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/**
 * Takes or refuses a whole body, and checks all that the decoder checks, from the format's description and by regular
 * expressions over the body's text. It shares nothing with the code under test.
 */
final class PlainDecoder {

    private static final Pattern CHUNK =
            Pattern.compile("([0-9A-Fa-f]{1,16})(;chunk-signature=([0-9A-Fa-f]{64}))?\r\n");
    private static final Pattern TRAILER =
            Pattern.compile("([A-Za-z0-9!#$%&'*+.^_`|~-]+)[ \t]*:[ \t]*((?:[!-~](?:[\t -~]*[!-~])?)?)(?:\r\n|\n\r\n)");

    /** What was announced. A length below zero is none. */
    record Announcement(String mode, long length, Set<String> trailers, int minChunkSize, int maxChunkSize) {}

    /** The payload, or null if the body is to be refused. */
    static byte @Nullable [] decode(byte[] wire, Announcement announced, @Nullable PlainChunkSigner signer) {
        String text = new String(wire, ISO_8859_1);
        StringBuilder payload = new StringBuilder();
        boolean signed = !announced.mode.contains("UNSIGNED");
        int position = 0;
        int latest = Integer.MAX_VALUE;
        while (true) {
            Matcher chunk = CHUNK.matcher(text).region(position, text.length());
            if (!chunk.lookingAt() || signed != (chunk.group(2) != null)) {
                return null;
            }
            BigInteger bigSize = new BigInteger(chunk.group(1), 16);
            if (bigSize.compareTo(BigInteger.valueOf(announced.maxChunkSize)) > 0) {
                return null;
            }
            int size = bigSize.intValueExact();
            position = chunk.end();
            if (size > text.length() - position) {
                return null;
            }
            String data = text.substring(position, position + size);
            if (signed && !signer.chunk(data.getBytes(ISO_8859_1)).equalsIgnoreCase(chunk.group(3))) {
                return null;
            }
            if (size == 0) {
                break;
            }
            position += size;
            if (latest < announced.minChunkSize || !text.startsWith("\r\n", position)) {
                return null;
            }
            position += 2;
            latest = size;
            payload.append(data);
        }
        if (announced.length >= 0 && announced.length != payload.length()) {
            return null;
        }
        byte[] bytes = payload.toString().getBytes(ISO_8859_1);
        return trailersAreRight(text.substring(position), bytes, announced, signer) ? bytes : null;
    }

    private static boolean trailersAreRight(
            String text, byte[] payload, Announcement announced, @Nullable PlainChunkSigner signer) {
        Map<String, String> trailers = new TreeMap<>();
        String signature = null;
        int position = 0;
        Matcher trailer = TRAILER.matcher(text);
        while (trailer.region(position, text.length()).lookingAt()) {
            String name = trailer.group(1).toLowerCase(Locale.ROOT);
            String value = trailer.group(2);
            position = trailer.end();
            if (signature != null) {
                return false;
            }
            if (announced.mode.startsWith("STREAMING-AWS4")
                    && announced.mode.endsWith("-TRAILER")
                    && name.equals("x-amz-trailer-signature")) {
                signature = value;
            } else if (!announced.trailers.contains(name) || trailers.put(name, value) != null) {
                return false;
            }
        }
        if (!text.substring(position).equals("\r\n") || !trailers.keySet().equals(announced.trailers)) {
            return false;
        }
        if (announced.mode.startsWith("STREAMING-AWS4") && announced.mode.endsWith("-TRAILER")) {
            StringBuilder lines = new StringBuilder();
            trailers.forEach((name, value) ->
                    lines.append(name).append(':').append(value).append('\n'));
            if (!signer.trailer(lines.toString()).equalsIgnoreCase(signature)) {
                return false;
            }
        }
        return trailers.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("x-amz-checksum-"))
                .allMatch(entry -> entry.getValue().equals(checksum(entry.getKey(), payload)));
    }

    /** The checksum that a trailer of this name must have. */
    static String checksum(String trailer, byte[] payload) {
        byte[] digest = switch (trailer) {
            case "x-amz-checksum-crc32" -> crc(new CRC32(), payload);
            case "x-amz-checksum-crc32c" -> crc(new CRC32C(), payload);
            case "x-amz-checksum-sha1" -> digest("SHA-1", payload);
            case "x-amz-checksum-sha256" -> digest("SHA-256", payload);
            default -> throw new IllegalArgumentException(trailer);
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

    private PlainDecoder() {}
}
