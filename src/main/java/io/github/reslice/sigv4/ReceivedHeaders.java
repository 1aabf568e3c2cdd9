package io.github.reslice.sigv4;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import io.github.reslice.sigv4.SignatureRefusedException.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The headers of a request as a server gives them: any case, any number of values. */
final class ReceivedHeaders {

    private final NavigableMap<String, List<String>> values = new TreeMap<>();

    ReceivedHeaders(Map<String, List<String>> headers) {
        headers.forEach(
                (name, several) -> values.computeIfAbsent(name.toLowerCase(Locale.ROOT), unused -> new ArrayList<>())
                        .addAll(several));
        values.values().removeIf(List::isEmpty);
    }

    /** In lower case. */
    Set<String> names() {
        return values.keySet();
    }

    List<String> values(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** All values as the one that is signed, in the order that they came; null if there is none. */
    @Nullable
    String joined(String name) {
        List<String> several = values(name);
        return several.isEmpty()
                ? null
                : several.stream().map(value -> trimmed(text(name, value))).collect(joining(","));
    }

    /** Not strip: what Unicode has of spaces is a part of the value, for those who sign it. */
    private static String trimmed(String value) {
        int start = 0;
        int end = value.length();
        while (start < end && isBlank(value.charAt(start))) {
            start++;
        }
        while (end > start && isBlank(value.charAt(end - 1))) {
            end--;
        }
        return value.substring(start, end);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    /**
     * Servers make a character of each byte. What is signed, when it is not ASCII, is UTF-8. A line feed would end the
     * header in what is signed, and begin another.
     */
    private static String text(String name, String value) {
        try {
            HeaderSyntax.checkValue(name, value);
        } catch (IllegalArgumentException e) {
            throw new SignatureRefusedException(
                    Reason.MALFORMED_REQUEST, "The header " + name + " has a control character in it");
        }
        if (value.chars().allMatch(c -> c < 0x80) || value.chars().anyMatch(c -> c > 0xff)) {
            return value;
        }
        try {
            return UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(value.getBytes(ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException e) {
            return value;
        }
    }

    /** The names, since a value may be a secret. */
    @Override
    public String toString() {
        return "ReceivedHeaders" + values.keySet();
    }
}
