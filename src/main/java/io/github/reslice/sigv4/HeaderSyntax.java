package io.github.reslice.sigv4;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What can be a header (RFC 9110, section 5): anything else would be signed as one thing and sent as another. */
final class HeaderSyntax {

    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private HeaderSyntax() {}

    /** A copy whose names are the same in either case. */
    static NavigableMap<String, String> checkedCopy(Map<String, String> headers) {
        NavigableMap<String, String> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, value) -> {
            checkToken("header name", name);
            checkValue(name, value);
            if (copy.put(name, value) != null) {
                throw new IllegalArgumentException("header given twice, in upper and lower case: " + name);
            }
        });
        return copy;
    }

    static void checkToken(String what, String value) {
        if (!TOKEN.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    what + " '" + value + "' is not a token: letters, digits and !#$%&'*+-.^_`|~, at least one");
        }
    }

    /** The message has no value, which may be a secret: x-amz-server-side-encryption-customer-key. */
    static void checkValue(String name, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f) {
                throw new IllegalArgumentException(
                        "header %s: control character 0x%02x at index %d of its value".formatted(name, (int) c, i));
            }
        }
    }
}
