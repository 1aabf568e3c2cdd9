package io.github.reslice.awschunked;

import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A field sent behind the body, whose value is asked for when the body has ended.
 *
 * @param name the field's name, in lower case
 * @param valueLength characters in the value, known beforehand since they are part of the encoded length
 * @param value gives the value, once for each subscription
 */
public record Trailer(String name, int valueLength, Supplier<String> value) {

    /** Fields that say how a request is routed, framed or read, and the two that speak of the trailers themselves. */
    private static final Set<String> NO_TRAILERS = Set.of(
            "authorization",
            "connection",
            "content-encoding",
            "content-length",
            "content-range",
            "content-type",
            "expect",
            "host",
            "te",
            "trailer",
            "transfer-encoding",
            "x-amz-trailer",
            "x-amz-trailer-signature");

    private static final String TOKEN_PUNCTUATION = "!#$%&'*+-.^_`|~";

    /**
     * Checks the name and the length.
     *
     * @param name the field's name, an HTTP token; kept in lower case
     * @param valueLength characters in the value, from 0
     * @param value gives the value, once for each subscription
     * @throws IllegalArgumentException if the name is no HTTP token or the length is below zero
     */
    public Trailer {
        name = requireName(name);
        if (valueLength < 0) {
            throw new IllegalArgumentException(
                    "The value of trailer " + name + " must have a length of 0 or more, was " + valueLength);
        }
        Objects.requireNonNull(value, "value");
    }

    /** A trailer's name in lower case, if it can be one. */
    static String requireName(String name) {
        Objects.requireNonNull(name, "name");
        if (!isToken(name)) {
            throw new IllegalArgumentException("A trailer's name must be an HTTP token (ASCII letters, digits and "
                    + TOKEN_PUNCTUATION + "), was " + Quoted.text(name));
        }
        String lowerCase = name.toLowerCase(Locale.ROOT);
        if (NO_TRAILERS.contains(lowerCase)) {
            throw new IllegalArgumentException("The field " + lowerCase
                    + " has a meaning before the body or for its framing, and cannot be a trailer");
        }
        return lowerCase;
    }

    static boolean isToken(String name) {
        return !name.isEmpty() && name.chars().allMatch(Trailer::isTokenCharacter);
    }

    /** Bytes on the wire: name, colon, value, CRLF. */
    long encodedLength() {
        return name.length() + 1L + valueLength + 2;
    }

    /** The line on the wire, with the value as it is now. */
    String line() {
        String now = value.get();
        String flaw = flawIn(now);
        if (flaw != null) {
            throw new IllegalStateException(flaw);
        }
        return name + ":" + now + "\r\n";
    }

    private @Nullable String flawIn(@Nullable String text) {
        if (text == null) {
            return "The value of trailer " + name + " must be known when the body has ended, was null";
        }
        if (text.length() != valueLength) {
            return "The value of trailer " + name + " must have the " + valueLength
                    + " characters it was declared with, was \"" + text + "\" (" + text.length() + ")";
        }
        if (!text.equals(text.strip()) || !text.chars().allMatch(c -> c == '\t' || (c >= ' ' && c < 0x7f))) {
            return "The value of trailer " + name + " must be visible ASCII with blanks only inside, was \""
                    + text.replace("\r", "\\r").replace("\n", "\\n") + "\"";
        }
        return null;
    }

    private static boolean isTokenCharacter(int c) {
        return (c >= '0' && c <= '9')
                || (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || TOKEN_PUNCTUATION.indexOf(c) >= 0;
    }
}
