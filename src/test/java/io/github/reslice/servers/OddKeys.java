package io.github.reslice.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;

/** Object keys that do not survive a path that is collapsed, resolved, or encoded once too often or too seldom. */
public final class OddKeys {

    /** The keys, as their owner would name them. */
    public static final List<String> ALL = List.of(
            "a b",
            "a+b",
            "100%",
            "a%20b",
            "a%2Fb",
            "a(b)",
            "wow!",
            "it's*",
            "gr\u00fc\u00df/\u65e5\u672c",
            "\ud83d\ude00",
            "a&b=c",
            "a?b",
            "a#b",
            "a;b,c:d@e$",
            "~tilde-._",
            "a\\b",
            "a//b",
            "/a",
            "a/",
            "a/../b",
            "a/./b",
            "../a",
            "..",
            ".");

    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";

    private OddKeys() {}

    /** The key as a path: every byte but unreserved characters and the slash percent-encoded once. */
    public static String path(String key) {
        StringBuilder path = new StringBuilder();
        for (byte b : key.getBytes(UTF_8)) {
            if (UNRESERVED.indexOf(b) >= 0) {
                path.append((char) b);
            } else {
                path.append(String.format("%%%02X", b & 0xff));
            }
        }
        return path.toString();
    }
}
