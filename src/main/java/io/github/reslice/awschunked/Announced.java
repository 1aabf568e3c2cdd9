package io.github.reslice.awschunked;

import io.github.reslice.checksum.ChecksumAlgorithm;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an encoded body before it comes. Each part may be unknown.
 *
 * @param mode how it is protected
 * @param decodedLength the payload's length in bytes
 * @param trailers the names of the trailers that must follow it, in lower case
 */
public record Announced(
        @Nullable Mode mode,
        @Nullable Long decodedLength,
        @Nullable SortedSet<String> trailers) {

    /** Nothing is known. */
    public static final Announced NOTHING = new Announced(null, null, null);

    private static final String CONTENT_SHA256 = "x-amz-content-sha256";
    private static final String DECODED_LENGTH = "x-amz-decoded-content-length";
    private static final String TRAILER = "x-amz-trailer";
    private static final String CHECKSUM = "x-amz-checksum-";

    /**
     * Checks each part.
     *
     * @param mode as above
     * @param decodedLength as above
     * @param trailers as above, in any case
     * @throws IllegalArgumentException if the length is below zero, a name is malformed or reserved or is that of a checksum
     *     that cannot be computed, there are two checksums, of which S3 takes one, or any in a mode that has none
     */
    public Announced {
        if (decodedLength != null && decodedLength < 0) {
            throw new IllegalArgumentException("The decoded length must be 0 or more, was " + decodedLength);
        }
        if (trailers != null) {
            trailers = checked(trailers);
            if (mode == Mode.SIGNED && !trailers.isEmpty()) {
                throw new IllegalArgumentException("A body in the mode " + mode.headerValue()
                        + " has no trailers, but was announced with " + trailers);
            }
        }
    }

    private static SortedSet<String> checked(Collection<String> names) {
        SortedSet<String> trailers =
                names.stream().map(Trailer::requireName).collect(Collectors.toCollection(TreeSet::new));
        SortedSet<String> checksums = trailers.subSet(CHECKSUM, CHECKSUM + Character.MAX_VALUE);
        if (checksums.size() > 1) {
            throw new IllegalArgumentException("At most one trailer may be a checksum, there were " + checksums);
        }
        if (!checksums.isEmpty()) {
            requireComputable(checksums.first());
        }
        return Collections.unmodifiableSortedSet(trailers);
    }

    private static void requireComputable(String checksum) {
        ChecksumAlgorithm algorithm = ChecksumAlgorithm.ofHeader(checksum)
                .orElseThrow(() -> new IllegalArgumentException(
                        "The checksum " + checksum + " cannot be computed, and is not left unchecked; known are "
                                + Arrays.toString(ChecksumAlgorithm.values())));
        algorithm.requireAvailable();
    }

    private static @Nullable ChecksumAlgorithm checksumIn(Collection<String> trailers) {
        return trailers.stream()
                .flatMap(name -> ChecksumAlgorithm.ofHeader(name).stream())
                .findFirst()
                .orElse(null);
    }

    /**
     * The mode alone is known.
     *
     * @param mode how the body is protected
     * @return what is known
     */
    public static Announced of(Mode mode) {
        return new Announced(mode, null, null);
    }

    /**
     * What a request's headers say: {@code x-amz-content-sha256}, {@code x-amz-decoded-content-length} and
     * {@code x-amz-trailer}. {@code Content-Encoding} is not looked at: the mode alone makes a body {@code aws-chunked}, and
     * there are clients that send nothing else.
     *
     * @param headers the headers, names in any case
     * @return what they say
     * @throws IllegalArgumentException if the mode is missing or unknown, the length is not written in decimal digits or
     *     too large, a trailer is refused or announced twice, or two names differ in case only
     */
    public static Announced in(Map<String, String> headers) {
        Map<String, String> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, value) -> {
            if (byName.put(name, value) != null) {
                throw new IllegalArgumentException("The header " + name + " is there twice, in different case");
            }
        });
        String mode = byName.get(CONTENT_SHA256);
        if (mode == null) {
            throw new IllegalArgumentException("There is no " + CONTENT_SHA256 + ", which says how a body is encoded");
        }
        String length = byName.get(DECODED_LENGTH);
        String trailers = byName.get(TRAILER);
        return new Announced(
                Mode.of(mode.strip()),
                length == null ? null : parseLength(length.strip()),
                trailers == null ? null : parseTrailers(trailers));
    }

    /** An empty name among them is refused later, as one that is no token. */
    private static SortedSet<String> parseTrailers(String text) {
        SortedSet<String> trailers = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (String name : text.split(",", -1)) {
            if (!trailers.add(name.strip())) {
                throw new IllegalArgumentException(
                        TRAILER + " must announce a trailer once, twice was " + Quoted.text(name.strip()));
            }
        }
        return trailers;
    }

    // not Long.parseLong alone, which takes signs and other scripts' digits
    private static long parseLength(String text) {
        if (text.matches("[0-9]{1,19}")) {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(DECODED_LENGTH + " must fit into 63 bits, was " + text, e);
            }
        }
        throw new IllegalArgumentException(
                DECODED_LENGTH + " must be 1 to 19 decimal digits, was " + Quoted.text(text));
    }

    /**
     * This and something else that is known of the same body.
     *
     * @param other what else is known
     * @return both together
     * @throws IllegalArgumentException if they contradict each other
     */
    public Announced and(Announced other) {
        return new Announced(
                same("mode", mode, other.mode),
                same("decoded length", decodedLength, other.decodedLength),
                same("announced trailers", trailers, other.trailers));
    }

    private static <T> @Nullable T same(String what, @Nullable T one, @Nullable T other) {
        if (one != null && other != null && !one.equals(other)) {
            throw new IllegalArgumentException("The " + what + " must be one: was " + one + " and " + other);
        }
        return one == null ? other : one;
    }

    /**
     * This, if it is that the body is signed.
     *
     * @return this
     * @throws IllegalArgumentException if the mode is unknown or unsigned
     */
    public Announced requireSigned() {
        if (mode == null || !mode.isSigned()) {
            throw new IllegalArgumentException("Signatures were given, so the mode must be "
                    + Mode.SIGNED.headerValue() + " or " + Mode.SIGNED_WITH_TRAILER.headerValue() + ", was "
                    + (mode == null ? "none" : mode.headerValue()));
        }
        return this;
    }

    /** The trailers that must come; none if nothing is known of them. */
    SortedSet<String> requiredTrailers() {
        return Objects.requireNonNullElse(trailers, Collections.emptySortedSet());
    }

    /** The checksum that must come, or null. */
    @Nullable
    ChecksumAlgorithm checksum() {
        return checksumIn(requiredTrailers());
    }
}
