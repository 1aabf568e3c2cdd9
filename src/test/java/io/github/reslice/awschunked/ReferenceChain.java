package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs the chunks and the trailer of a body as Signature Version 4 describes it, without sharing a line with the code
 * under test.
 */
public final class ReferenceChain {

    private final byte[] key;
    private final String head;
    private String signature;

    /** The chain that starts with a request's signature. */
    public ReferenceChain(String secretKey, String timestamp, String scope, String seed) {
        byte[] derived = ("AWS4" + secretKey).getBytes(US_ASCII);
        for (String step : scope.split("/", -1)) {
            derived = hmac(derived, step);
        }
        key = derived;
        head = timestamp + "\n" + scope + "\n";
        signature = seed;
    }

    /** The signatures that a decoded body must have, the zero chunk's too, and the trailer's last if it has one. */
    public List<String> of(ReferenceDecoder.Body body) {
        List<String> signatures = new ArrayList<>();
        int from = 0;
        for (int size : body.chunkSizes()) {
            signatures.add(chunk(Arrays.copyOfRange(body.payload(), from, from + size)));
            from += size;
        }
        signatures.add(chunk(new byte[0]));
        Map<String, String> trailers = new TreeMap<>(body.trailers());
        if (trailers.remove("x-amz-trailer-signature") != null) {
            StringBuilder lines = new StringBuilder();
            trailers.forEach((name, value) -> lines.append(name + ":" + value + "\n"));
            signatures.add(sign("TRAILER", sha256(lines.toString().getBytes(US_ASCII))));
        }
        return signatures;
    }

    private String chunk(byte[] data) {
        return sign("PAYLOAD", sha256(new byte[0]) + "\n" + sha256(data));
    }

    private String sign(String what, String hashes) {
        String toSign = "AWS4-HMAC-SHA256-" + what + "\n" + head + signature + "\n" + hashes;
        signature = HexFormat.of().formatHex(hmac(key, toSign));
        return signature;
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
            return mac.doFinal(text.getBytes(US_ASCII));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
