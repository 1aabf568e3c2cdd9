package io.github.reslice.sigv4;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * S3's percent-encoding. The same key can be written in a URI in many ways ({@code ~} or {@code %7E} or {@code %7e});
 * a server decodes it once and encodes it again its own way before it checks the signature, so that is what is signed,
 * and sent.
 */
final class UriEncoding {

    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private UriEncoding() {}

    /** A raw path, decoded once and encoded again, its slashes kept. */
    static String path(String raw) {
        return encode(decode(raw), UNRESERVED + "/");
    }

    /** A raw query parameter's name or value, decoded once and encoded again. A plus is a plus, not a space. */
    static String parameter(String raw) {
        return encode(decode(raw), UNRESERVED);
    }

    /** What an encoded parameter means. */
    static String decodedParameter(String encoded) {
        return new String(decode(encoded), StandardCharsets.UTF_8);
    }

    private static byte[] decode(String raw) {
        ByteBuffer bytes = utf8(raw);
        ByteArrayOutputStream decoded = new ByteArrayOutputStream(bytes.remaining());
        while (bytes.hasRemaining()) {
            byte b = bytes.get();
            decoded.write(b == '%' ? hexDigit(bytes) << 4 | hexDigit(bytes) : b);
        }
        return decoded.toByteArray();
    }

    private static int hexDigit(ByteBuffer bytes) {
        if (!bytes.hasRemaining()) {
            throw new IllegalArgumentException("a percent sign without two hexadecimal digits behind it");
        }
        return HexFormat.fromHexDigit(bytes.get());
    }

    /** Strict: half a surrogate pair would go out as a question mark, under another name than the caller's. */
    private static ByteBuffer utf8(String raw) {
        try {
            return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(raw));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("not valid Unicode (half a surrogate pair): " + raw, e);
        }
    }

    private static String encode(byte[] bytes, String kept) {
        StringBuilder encoded = new StringBuilder(bytes.length + 16);
        for (byte b : bytes) {
            if (kept.indexOf(b) >= 0) {
                encoded.append((char) b);
            } else {
                encoded.append('%').append(HEX.toHexDigits(b));
            }
        }
        return encoded.toString();
    }
}
