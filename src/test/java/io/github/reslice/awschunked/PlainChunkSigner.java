package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.reslice.sigv4.SignedHeaders;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The signatures of a body as the S3 API reference describes them, one string after the other. */
public final class PlainChunkSigner {

    private final byte[] key;
    private final String head;
    private String previous;

    PlainChunkSigner(String secretKey, SignedHeaders seed) {
        byte[] derived = ("AWS4" + secretKey).getBytes(UTF_8);
        for (String step : seed.scope().split("/", -1)) {
            derived = hmac(derived, step);
        }
        key = derived;
        head = seed.timestamp() + "\n" + seed.scope() + "\n";
        previous = seed.signature();
    }

    /** The signature of the next chunk. */
    String chunk(byte[] data) {
        return sign("AWS4-HMAC-SHA256-PAYLOAD\n" + head + previous + "\n" + sha256(new byte[0]) + "\n" + sha256(data));
    }

    /** The signature of the trailers, of which each is {@code name:value} and a line feed. */
    String trailer(String lines) {
        return sign("AWS4-HMAC-SHA256-TRAILER\n" + head + previous + "\n" + sha256(lines.getBytes(UTF_8)));
    }

    private String sign(String stringToSign) {
        previous = HexFormat.of().formatHex(hmac(key, stringToSign));
        return previous;
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
