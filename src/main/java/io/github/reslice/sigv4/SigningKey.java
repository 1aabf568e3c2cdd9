package io.github.reslice.sigv4;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The key derived from a secret key for one {@link Scope}. As secret as that, for a day. */
final class SigningKey {

    private static final String HMAC_SHA256 = "HmacSHA256";

    private final byte[] key;

    private SigningKey(byte[] key) {
        this.key = key;
    }

    static SigningKey derive(String secretKey, Scope scope) {
        byte[] key = ("AWS4" + secretKey).getBytes(UTF_8);
        key = hmac(key, scope.date());
        key = hmac(key, scope.region());
        key = hmac(key, scope.service());
        return new SigningKey(hmac(key, Scope.TERMINATOR));
    }

    /** The signature of a string to sign, in lower-case hex. */
    String sign(String stringToSign) {
        return HexFormat.of().formatHex(hmac(key, stringToSign));
    }

    /** Makes many signatures, one after the other. */
    Mac mac() {
        return mac(key);
    }

    private static byte[] hmac(byte[] key, String data) {
        return mac(key).doFinal(data.getBytes(UTF_8));
    }

    private static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(HMAC_SHA256);
            mac.init(new SecretKeySpec(key, HMAC_SHA256));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime has no " + HMAC_SHA256, e);
        }
    }

    @Override
    public String toString() {
        return "SigningKey";
    }
}
