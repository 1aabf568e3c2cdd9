package io.github.reslice.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs one request to a server as Signature Version 4 describes it, all headers included. The URI's path is signed as it
 * stands. It shares nothing with the code under test.
 */
final class ReferenceSigner {

    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private ReferenceSigner() {}

    /** The given headers, which say {@code x-amz-content-sha256}, with Host, x-amz-date and Authorization. */
    static Map<String, String> sign(String method, URI uri, Map<String, String> headers, S3Server server) {
        String timestamp = TIMESTAMP.format(Instant.now());
        Map<String, String> signed = new TreeMap<>();
        headers.forEach((name, value) -> signed.put(name.toLowerCase(Locale.ROOT), value));
        signed.put("host", uri.getHost() + ":" + uri.getPort());
        signed.put("x-amz-date", timestamp);

        String names = String.join(";", signed.keySet());
        String request = method + "\n" + uri.getRawPath() + "\n" + query(uri) + "\n"
                + signed.entrySet().stream()
                        .map(header -> header.getKey() + ":" + header.getValue().strip() + "\n")
                        .collect(Collectors.joining())
                + "\n" + names + "\n" + signed.get("x-amz-content-sha256");
        String date = timestamp.substring(0, 8);
        String scope = date + "/" + server.region() + "/s3/aws4_request";
        String toSign = "AWS4-HMAC-SHA256\n" + timestamp + "\n" + scope + "\n" + sha256(request.getBytes(UTF_8));
        byte[] key = ("AWS4" + server.secretKey()).getBytes(UTF_8);
        for (String step : new String[] {date, server.region(), "s3", "aws4_request"}) {
            key = hmac(key, step);
        }
        signed.put(
                "authorization",
                "AWS4-HMAC-SHA256 Credential=" + server.accessKey() + "/" + scope + ",SignedHeaders=" + names
                        + ",Signature=" + HexFormat.of().formatHex(hmac(key, toSign)));
        return signed;
    }

    /** SHA-256 in hex, as {@code x-amz-content-sha256} wants it. */
    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String query(URI uri) {
        if (uri.getRawQuery() == null) {
            return "";
        }
        return Arrays.stream(uri.getRawQuery().split("&", -1))
                .map(parameter -> parameter.contains("=") ? parameter : parameter + "=")
                .sorted()
                .collect(Collectors.joining("&"));
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
