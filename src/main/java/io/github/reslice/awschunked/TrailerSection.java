package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.reslice.awschunked.AwsChunkedException.Reason;
import io.github.reslice.checksum.ChecksumAlgorithm;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The trailers of a body: those that were announced, each once, and at the end their signature if there is to be one. */
final class TrailerSection {

    private static final String SIGNATURE = "x-amz-trailer-signature";

    private final SortedSet<String> announced;
    private final @Nullable ChecksumAlgorithm algorithm;
    private final boolean signed;
    private final Checks checks;
    private final TreeMap<String, String> received = new TreeMap<>();
    private byte @Nullable [] checksum;
    private long checksumOffset;
    private byte @Nullable [] signature;
    private long signatureOffset;

    TrailerSection(Announced announced, Checks checks) {
        this.announced = announced.requiredTrailers();
        algorithm = announced.checksum();
        signed = announced.mode() == Mode.SIGNED_WITH_TRAILER;
        this.checks = checks;
    }

    /** Takes the next trailer. */
    void add(Line line) {
        String text = line.text(0, line.length());
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : stripEnd(text.substring(0, colon)).toLowerCase(Locale.ROOT);
        if (colon < 0 || !Trailer.isToken(name)) {
            throw malformed(line, "A trailer must be a name, a colon and a value");
        }
        if (signature != null) {
            throw malformed(line, "Nothing may follow the trailers' signature");
        }
        String value = stripStart(text.substring(colon + 1));
        if (signed && name.equals(SIGNATURE)) {
            takeSignature(line, value);
        } else {
            take(line, name, value);
        }
    }

    private void takeSignature(Line line, String value) {
        if (!ChunkHeader.isSignature(line, line.length() - value.length())) {
            throw new AwsChunkedException(
                    Reason.MISSING_SIGNATURE,
                    line.offset(),
                    "The trailers' signature must be 64 hexadecimal digits, came " + Quoted.text(value));
        }
        signature = value.getBytes(US_ASCII);
        signatureOffset = line.offset();
    }

    private void take(Line line, String name, String value) {
        if (!announced.contains(name)) {
            throw new AwsChunkedException(
                    Reason.UNANNOUNCED_TRAILER,
                    line.offset(),
                    "Only announced trailers may come, " + announced + "; came " + Quoted.text(name));
        }
        if (received.containsKey(name)) {
            throw new AwsChunkedException(
                    Reason.DOUBLED_TRAILER, line.offset(), "Every trailer may come once, came again: " + name);
        }
        // what is signed are the bytes, and outside ASCII those could be read in more than one way
        if (!value.equals(stripEnd(value)) || !value.chars().allMatch(c -> c == '\t' || (c >= ' ' && c < 0x7f))) {
            throw malformed(line, "A trailer's value must be visible ASCII with blanks only inside or before it");
        }
        if (algorithm != null && name.equals(algorithm.headerName())) {
            checksum = decode(algorithm, value, line);
            checksumOffset = line.offset();
        }
        received.put(name, value);
    }

    private static byte[] decode(ChecksumAlgorithm algorithm, String value, Line line) {
        try {
            return algorithm.decode(value);
        } catch (IllegalArgumentException e) {
            throw new AwsChunkedException(
                    Reason.MALFORMED_CHECKSUM,
                    line.offset(),
                    "A " + algorithm + " checksum must be base64 of " + algorithm.digestLength() + " bytes, came "
                            + Quoted.text(value));
        }
    }

    private static AwsChunkedException malformed(Line line, String what) {
        return new AwsChunkedException(
                Reason.MALFORMED_TRAILER, line.offset(), what + ", came " + Quoted.text(line.text(0, line.length())));
    }

    /** All have come, at the body's last, empty line. */
    void end(long offset) {
        if (received.size() < announced.size()) {
            SortedSet<String> missing = new TreeSet<>(announced);
            missing.removeAll(received.keySet());
            throw new AwsChunkedException(
                    Reason.MISSING_TRAILER, offset, "Every announced trailer must come, missing: " + missing);
        }
        if (signed) {
            endSignature(offset);
        }
        if (algorithm != null && checksum != null) {
            checks.endData(algorithm, checksum, checksumOffset);
        }
    }

    private void endSignature(long offset) {
        if (signature == null) {
            throw new AwsChunkedException(
                    Reason.MISSING_SIGNATURE, offset, "The last trailer must be " + SIGNATURE + ", none came");
        }
        checks.endTrailers(
                received.entrySet().stream()
                        .map(trailer -> trailer.getKey() + ":" + trailer.getValue() + "\n")
                        .collect(Collectors.joining()),
                signature,
                signatureOffset);
    }

    private static String stripStart(String text) {
        int start = 0;
        while (start < text.length() && isBlank(text.charAt(start))) {
            start++;
        }
        return text.substring(start);
    }

    private static String stripEnd(String text) {
        int end = text.length();
        while (end > 0 && isBlank(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(0, end);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
