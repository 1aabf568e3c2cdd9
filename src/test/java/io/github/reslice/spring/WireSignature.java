package io.github.reslice.spring;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.reslice.servers.RecordedRequest;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Computes a request's signature from what was on the wire, as a server does. */
final class WireSignature {

    private static final Pattern AUTHORIZATION = Pattern.compile(
            "AWS4-HMAC-SHA256 Credential=([^/]+)/(\\d{8})/([^/]+)/([^/]+)/aws4_request, SignedHeaders=([^,]+), Signature=(\\w+)");

    private final RecordedRequest request;
    private final Matcher authorization;

    WireSignature(RecordedRequest request) {
        this.request = request;
        authorization = AUTHORIZATION.matcher(Objects.requireNonNull(request.header("authorization"), request.head()));
        if (!authorization.matches()) {
            throw new AssertionError(request.head());
        }
    }

    String accessKey() {
        return authorization.group(1);
    }

    List<String> signedHeaders() {
        return List.of(authorization.group(5).split(";"));
    }

    String sent() {
        return authorization.group(6);
    }

    String scope() {
        return authorization.group(2) + "/" + authorization.group(3) + "/" + authorization.group(4) + "/aws4_request";
    }

    String expected(String secretKey) {
        String[] line = request.line().split(" ", -1);
        String[] target = line[1].split("\\?", 2);
        String query = target.length == 1
                ? ""
                : Arrays.stream(target[1].split("&", -1))
                        .map(parameter -> parameter.contains("=") ? parameter : parameter + "=")
                        .sorted()
                        .collect(Collectors.joining("&"));
        String headers = signedHeaders().stream()
                .map(name -> name + ":" + String.join(",", request.headers(name)) + "\n")
                .collect(Collectors.joining());
        String canonical = String.join(
                "\n",
                line[0],
                target[0],
                query,
                headers,
                authorization.group(5),
                request.header("x-amz-content-sha256"));
        String scope = scope();
        byte[] key = ("AWS4" + secretKey).getBytes(UTF_8);
        for (String step : scope.split("/", -1)) {
            key = hmac(key, step);
        }
        return HexFormat.of()
                .formatHex(hmac(
                        key,
                        String.join("\n", "AWS4-HMAC-SHA256", request.header("x-amz-date"), scope, sha256(canonical))));
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
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
