package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.awschunked.AwsChunkedException.Reason;
import io.github.reslice.sigv4.ChunkSignatures;
import io.github.reslice.sigv4.SignedHeaders;
import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way in which a body can be wrong has its reason, and the offset of what is wrong. */
class BadBodyTest {

    private static final Limits LIMITS = new Limits(4, 1000, 100, 16, 200);
    private static final String CRC32 = "x-amz-checksum-crc32";
    private static final String HELLO_CRC32 = CRC32 + ":DUoRhQ==\r\n";
    private static final String SIGNATURE = "a".repeat(64);

    private final Announced nothing = Announced.NOTHING;
    private final Announced checksum = announced(null, CRC32);
    private final Announced two = announced(null, CRC32, "x-note");

    // sizes

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "+5",
                "-5",
                "-0",
                " 5",
                "5 ",
                "\t5",
                "0x5",
                "5h",
                "g",
                "5.",
                "5,5",
                "\u0661",
                "\uff15",
                "5\0",
                "\u00b2",
                "5\u00e9",
                "hello",
                "00000000000000005",
                "10000000000000000",
                "5 ;x"
            })
    void refusesASizeThatIsNotOneToSixteenHexadecimalDigits(String size) {
        String inUtf8 = new String(size.getBytes(UTF_8), ISO_8859_1);

        assertThat(decode(nothing, inUtf8 + "\r\nhello\r\n0\r\n\r\n").reason()).isEqualTo(Reason.MALFORMED_CHUNK_SIZE);
    }

    @Test
    void pointsAtTheFirstByteThatIsNoDigit() {
        assertRefused(decode(nothing, "5\r\nhello\r\n12g\r\n"), Reason.MALFORMED_CHUNK_SIZE, 12);
    }

    @Test
    void pointsAtTheFirstDigitThatIsTooMany() {
        assertRefused(decode(nothing, "000000000000000005\r\nhello\r\n"), Reason.MALFORMED_CHUNK_SIZE, 16);
    }

    @ParameterizedTest
    @CsvSource({
        "3e9, 1001",
        "7fffffff, 2147483647",
        "ffffffff, 4294967295",
        "100000005, 4294967301",
        "7fffffffffffffff, 9223372036854775807",
        "8000000000000000, 9223372036854775808",
        "FFFFFFFFFFFFFFFF, 18446744073709551615"
    })
    void refusesASizeBeyondTheBound(String size, String decimal) {
        Outcome outcome = decode(nothing, "5\r\nhello\r\n" + size + "\r\nhello");

        assertRefused(outcome, Reason.CHUNK_TOO_LARGE, 10);
        assertThat(outcome.message()).contains("may have 1000 bytes, came one of " + decimal);
    }

    @Test
    void refusesAChunkBelowTheMinimumOnceAnotherFollows() {
        assertRefused(decode(nothing, "4\r\nhell\r\n3\r\no w\r\n4\r\norld\r\n0\r\n\r\n"), Reason.CHUNK_TOO_SMALL, 9);
    }

    @Test
    void refusesALengthBeyondTheDeclaredAtTheChunksHeader() {
        Outcome outcome = decode(announced(9L), "5\r\nhello\r\n5\r\n wor");

        assertRefused(outcome, Reason.LONGER_THAN_DECLARED, 10);
        assertThat(outcome.text()).isEqualTo("hello");
        assertThat(outcome.message()).contains("9 bytes were declared", "5 have come", "a chunk of 5 follows");
    }

    @Test
    void refusesALengthBelowTheDeclaredAtTheZeroChunk() {
        Outcome outcome = decode(announced(6L), "5\r\nhello\r\n0\r\n\r\n");

        assertRefused(outcome, Reason.SHORTER_THAN_DECLARED, 10);
        assertThat(outcome.message()).contains("6 bytes were declared", "5 had come");
    }

    // lines

    @ParameterizedTest
    @CsvSource({
        "'5\\nhello\\r\\n0\\r\\n\\r\\n', 1",
        "'5\\rhello\\r\\n0\\r\\n\\r\\n', 2",
        "'5\\r\\r\\nhello\\r\\n0\\r\\n\\r\\n', 2",
        "'5\\r\\nhello\\n0\\r\\n\\r\\n', 8",
        "'5\\r\\nhello0\\r\\n\\r\\n', 8",
        "'5\\r\\nhello \\r\\n0\\r\\n\\r\\n', 8",
        "'5\\r\\nhello\\r0\\r\\n\\r\\n', 9",
        "'5\\r\\nhello\\r\\r\\n0\\r\\n\\r\\n', 9",
        "'5\\r\\nhello world\\r\\n0\\r\\n\\r\\n', 8",
        "'0\\n\\r\\n', 1",
        "'0\\r\\n\\n', 3",
        "'0\\r\\n\\rx', 4",
        "'0\\r\\n\\n\\r\\n', 3"
    })
    void refusesALineEndThatIsNotCrlf(String body, long offset) {
        assertRefused(decode(nothing, unescaped(body)), Reason.MISSING_CRLF, offset);
    }

    @ParameterizedTest
    @CsvSource({
        "'DUoRhQ==\\n\\r\\r\\n', 34",
        "'DUoRhQ==\\nx', 33",
        "'DUoRhQ==\\r\\r\\n', 33",
        "'DUoRhQ==\\n\\n', 33",
        "'\\rDUoRhQ==', 25"
    })
    void refusesATrailersEndThatIsNeitherCrlfNorLfCrlf(String value, long offset) {
        assertRefused(decode(checksum, "0\r\n" + CRC32 + ":" + unescaped(value)), Reason.MISSING_CRLF, offset);
    }

    @Test
    void refusesAHeaderThatIsTooLong() {
        Outcome outcome = decode(nothing, "5" + ";".repeat(100));

        assertRefused(outcome, Reason.HEADER_TOO_LONG, 100);
        assertThat(outcome.message()).contains("may have 100 bytes");
    }

    @Test
    void takesAHeaderOfTheLongestLength() {
        assertRefused(decode(nothing, "5" + ";".repeat(99) + "\r\n"), Reason.UNEXPECTED_EXTENSION, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\r\n", "0", "0\r\n\r\n", "\n"})
    void refusesDataAfterTheEnd(String more) {
        Outcome outcome = decode(nothing, "5\r\nhello\r\n0\r\n\r\n" + more);

        if (more.isEmpty()) {
            assertThat(outcome.verdict()).isEqualTo("complete");
        } else {
            assertRefused(outcome, Reason.DATA_AFTER_END, 15);
        }
    }

    @Test
    void refusesASecondZeroChunk() {
        Outcome outcome = decode(nothing, "5\r\nhello\r\n0\r\n0\r\n\r\n");

        assertRefused(outcome, Reason.MALFORMED_TRAILER, 13);
        assertThat(outcome.message()).contains("MalformedTrailerError");
    }

    @ParameterizedTest
    @CsvSource({
        "'', in or before a chunk's header",
        "'5', in or before a chunk's header",
        "'5\\r\\nhel', with 2 of a chunk's 5 bytes still to come",
        "'5\\r\\nhello', before the CRLF behind a chunk",
        "'5\\r\\nhello\\r', before the CRLF behind a chunk",
        "'5\\r\\nhello\\r\\n', in or before a chunk's header",
        "'5\\r\\nhello\\r\\n0\\r\\n', in the trailers or before the last CRLF",
        "'5\\r\\nhello\\r\\n0\\r\\n\\r', in the trailers or before the last CRLF"
    })
    void refusesABodyThatEndsTooSoon(String body, String where) {
        String wire = unescaped(body);
        Outcome outcome = decode(nothing, wire);

        assertRefused(outcome, Reason.TRUNCATED, wire.length());
        assertThat(outcome.message()).contains(where);
    }

    // extensions and signatures

    @ParameterizedTest
    @ValueSource(strings = {";", ";x=y", ";chunk-signature=", ";chunk-signature=aa"})
    void refusesAnExtensionInAnUnsignedBody(String extension) {
        assertRefused(decode(nothing, "5" + extension + "\r\nhello\r\n"), Reason.UNEXPECTED_EXTENSION, 1);
    }

    @Test
    void refusesASignatureInAnUnsignedBody() {
        assertRefused(
                decode(nothing, "5;chunk-signature=" + SIGNATURE + "\r\nhello\r\n"), Reason.UNEXPECTED_EXTENSION, 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ";x=y",
                ";chunk-signature:",
                ";Chunk-Signature=",
                "; chunk-signature=",
                ";chunk-sig=",
                ";;chunk-signature="
            })
    void refusesAnExtensionThatIsNoSignature(String extension) {
        assertRefused(decodeSigned("5" + extension + SIGNATURE + "\r\n"), Reason.UNEXPECTED_EXTENSION, 1);
    }

    @ParameterizedTest
    @CsvSource({"'', 0", "chunk-, 0", "chunk-signature=, 0", "chunk-signature=, 63", "chunk-signature=, 65"})
    void refusesAChunkWithoutItsSignature(String name, int digits) {
        String extension = name.isEmpty() ? "" : ";" + name + "a".repeat(digits);

        assertRefused(decodeSigned("5" + extension + "\r\nhello"), Reason.MISSING_SIGNATURE, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"g", " ", "*", "@", "\u0661", "\u00e1"})
    void refusesASignatureThatIsNotHexadecimal(String digit) {
        String signature = "a".repeat(63) + new String(digit.getBytes(UTF_8), ISO_8859_1);

        assertRefused(decodeSigned("5;chunk-signature=" + signature + "\r\n"), Reason.MISSING_SIGNATURE, 1);
    }

    @Test
    void refusesTwoSignatures() {
        // longer than any header may be here, so with a bound of its own
        Outcome outcome = decodeSigned("5" + (";chunk-signature=" + SIGNATURE).repeat(2) + "\r\n", 1000);

        assertRefused(outcome, Reason.MISSING_SIGNATURE, 1);
    }

    @Test
    void refusesAZeroChunkWithoutItsSignature() {
        assertRefused(decodeSigned("0\r\n\r\n"), Reason.MISSING_SIGNATURE, 1);
    }

    @Test
    void refusesAWrongSignatureAndDoesNotTellTheRightOne() {
        SignedHeaders seed = Client.seed(Mode.SIGNED, 5);
        String right = Client.signer(seed).chunk("hello".getBytes(ISO_8859_1));
        Outcome outcome = decodeSigned("5;chunk-signature=" + SIGNATURE + "\r\nhello");

        assertRefused(outcome, Reason.CHUNK_SIGNATURE_MISMATCH, 0);
        assertThat(outcome.handedOn()).isEmpty();
        assertThat(outcome.message()).contains("chunk of 5 bytes").doesNotContain(right);
    }

    @Test
    void refusesAWrongSignatureOfTheZeroChunk() {
        SignedHeaders seed = Client.seed(Mode.SIGNED, 5);
        String body = new String(Client.signedBody(seed, "hello".getBytes(ISO_8859_1), 5), ISO_8859_1);
        int zero = body.lastIndexOf("0;");

        assertRefused(
                decodeSigned(body.substring(0, zero) + "0;chunk-signature=" + SIGNATURE + "\r\n"),
                Reason.CHUNK_SIGNATURE_MISMATCH,
                zero);
    }

    @Test
    void refusesTrailersInTheModeThatHasNone() {
        SignedHeaders seed = Client.seed(Mode.SIGNED, 0);
        String body = new String(Client.signedBody(seed, new byte[0], 5), ISO_8859_1);

        assertThat(decode(seed, body.replace("\r\n\r\n", "\r\nx-note:1\r\n\r\n"), 100)
                        .reason())
                .isEqualTo(Reason.UNANNOUNCED_TRAILER);
        assertThat(decode(seed, body.replace("\r\n\r\n", "\r\nx-amz-trailer-signature:" + SIGNATURE + "\r\n\r\n"), 100)
                        .reason())
                .isEqualTo(Reason.UNANNOUNCED_TRAILER);
    }

    // trailers

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x-note",
                ":1",
                " : 1",
                " x-note:1",
                "x note:1",
                "x-note\0:1",
                "x-n\u00f6te:1",
                "x-note:\u00e9",
                "x-note:a\0b",
                "x-note:a\u007f",
                "x-note:a ",
                "x-note:a\t"
            })
    void refusesATrailerThatIsNoNameAndValueInVisibleAscii(String trailer) {
        assertRefused(decode(announced(null, "x-note"), "0\r\n" + trailer + "\r\n\r\n"), Reason.MALFORMED_TRAILER, 3);
    }

    @Test
    void refusesATrailerThatWasNotAnnounced() {
        Outcome outcome = decode(checksum, "0\r\n" + CRC32 + ":AAAAAA==\r\nx-note:1\r\n\r\n");

        assertRefused(outcome, Reason.UNANNOUNCED_TRAILER, 34);
        assertThat(outcome.message()).contains("[x-amz-checksum-crc32]", "\"x-note\"");
    }

    @Test
    void refusesATrailersSignatureInAnUnsignedBody() {
        assertRefused(
                decode(nothing, "0\r\nx-amz-trailer-signature:" + SIGNATURE + "\r\n\r\n"),
                Reason.UNANNOUNCED_TRAILER,
                3);
    }

    @Test
    void refusesATrailerThatComesTwice() {
        assertRefused(
                decode(two, "0\r\nx-note:1\r\nX-Note:1\r\n" + CRC32 + ":AAAAAA==\r\n\r\n"), Reason.DOUBLED_TRAILER, 13);
    }

    @Test
    void refusesABodyWithoutAnAnnouncedTrailer() {
        Outcome outcome = decode(two, "0\r\nx-note:1\r\n\r\n");

        assertRefused(outcome, Reason.MISSING_TRAILER, 13);
        assertThat(outcome.message()).contains("missing: [" + CRC32 + "]");
    }

    @Test
    void refusesTrailersThatAreTooLongTogether() {
        Outcome outcome = decode(two, "0\r\n" + CRC32 + ":AAAAAA==\r\nx-note:" + "a".repeat(171) + "b\r\n\r\n");

        assertThat(decode(two, "0\r\n" + CRC32 + ":AAAAAA==\r\nx-note:" + "a".repeat(164) + "\r\n\r\n")
                        .verdict())
                .isEqualTo("complete");
        assertRefused(outcome, Reason.TRAILERS_TOO_LONG, 3 + 200 + 2);
    }

    @Test
    void refusesATrailerWithoutEndAtTheBound() {
        assertRefused(decode(two, "0\r\n" + "a".repeat(500)), Reason.TRAILERS_TOO_LONG, 203);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "DUoRhQ",
                "DUoRhQ=",
                "DUoRhR==",
                "DUoRhQ===",
                "DUoRhQ==-1",
                "DUoR",
                "DUoRhQ==DUoRhQ==",
                "DUo RhQ==",
                "jSnVw/bqjr4=",
                "0d4a1185",
                "*UoRhQ=="
            })
    void refusesAChecksumThatIsNotBase64OfTheRightSize(String value) {
        Outcome outcome = decode(checksum, "b\r\nhello world\r\n0\r\n" + CRC32 + ":" + value + "\r\n\r\n");

        assertRefused(outcome, Reason.MALFORMED_CHECKSUM, 19);
        assertThat(outcome.message()).contains("base64 of 4 bytes");
    }

    @Test
    void refusesAChecksumThatIsNotThatOfThePayload() {
        Outcome outcome = decode(checksum, "b\r\nhello worle\r\n0\r\n" + HELLO_CRC32 + "\r\n");

        assertRefused(outcome, Reason.CHECKSUM_MISMATCH, 19);
        assertThat(outcome.message()).contains("BadDigest", "CRC32", "DUoRhQ==");
    }

    @Test
    void refusesSignedTrailersWithoutTheirSignature() {
        Outcome outcome = decodeWithTrailer(body -> body.substring(0, body.indexOf("x-amz-trailer-sig")) + "\r\n");

        assertThat(outcome.reason()).isEqualTo(Reason.MISSING_SIGNATURE);
        assertThat(outcome.message()).contains("x-amz-trailer-signature");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64})
    void refusesATrailersSignatureThatIsTooShort(int missing) {
        Outcome outcome = decodeWithTrailer(body -> body.substring(0, body.length() - 4 - missing) + "\r\n\r\n");

        assertThat(outcome.reason()).isEqualTo(Reason.MISSING_SIGNATURE);
    }

    @Test
    void refusesATrailersSignatureThatIsNotTheLast() {
        Outcome outcome = decodeWithTrailer(body -> {
            int trailer = body.indexOf(CRC32);
            int signature = body.indexOf("x-amz-trailer-sig");
            return body.substring(0, trailer)
                    + body.substring(signature, body.length() - 2)
                    + body.substring(trailer, signature)
                    + "\r\n";
        });

        assertThat(outcome.reason()).isEqualTo(Reason.MALFORMED_TRAILER);
    }

    @Test
    void refusesASecondSignatureOfTheTrailers() {
        Outcome outcome = decodeWithTrailer(
                body -> body.substring(0, body.length() - 2) + body.substring(body.indexOf("x-amz-trailer-sig")));

        assertThat(outcome.reason()).isEqualTo(Reason.MALFORMED_TRAILER);
    }

    @Test
    void refusesAChangedTrailer() {
        Outcome outcome = decodeWithTrailer(body -> body.replace("DUoRhQ==", "DUoRhA=="));

        assertThat(outcome.reason()).isEqualTo(Reason.TRAILER_SIGNATURE_MISMATCH);
    }

    @Test
    void refusesAWrongChecksumThatIsSigned() {
        SignedHeaders seed = Client.seed(Mode.SIGNED_WITH_TRAILER, 11, CRC32);
        byte[] body = Client.signedBody(seed, "hello world".getBytes(ISO_8859_1), 11, CRC32 + ":AAAAAA==");

        assertThat(decode(seed, new String(body, ISO_8859_1), 100).reason()).isEqualTo(Reason.CHECKSUM_MISMATCH);
    }

    // messages

    @Test
    void showsWhatCameMadeVisibleAndCutShort() {
        String message =
                decode(nothing, "\"\\\u0001\u00ff" + "x".repeat(80) + "\r\n").message();

        assertThat(message)
                .contains("\"\\\"\\\\\\x01\\xff" + "x".repeat(60) + "\"... (84 characters)")
                .contains("at byte 0");
    }

    @Test
    void everyReasonHasACodeAndAStatus() {
        assertThat(Reason.values()).allSatisfy(reason -> {
            assertThat(reason.s3Code()).matches("[A-Za-z]+");
            assertThat(reason.status())
                    .isEqualTo(
                            Set.of("SignatureDoesNotMatch", "InvalidChunkSizeError")
                                            .contains(reason.s3Code())
                                    ? 403
                                    : 400);
        });
    }

    private static void assertRefused(Outcome outcome, Reason reason, long offset) {
        assertThat(outcome.verdict()).as(outcome.message()).isEqualTo(reason + " at " + offset);
    }

    private static Announced announced(@Nullable Long length, String... trailers) {
        return new Announced(null, length, new TreeSet<>(List.of(trailers)));
    }

    private static Outcome decode(Announced announced, String body) {
        return Outcome.of(Decoder.unsigned(announced, LIMITS, BufferKind.BYTE_BUFFER), wire(body));
    }

    private static Outcome decodeSigned(String body) {
        return decodeSigned(body, 100);
    }

    private static Outcome decodeSigned(String body, int maxHeaderLine) {
        return decode(Client.seed(Mode.SIGNED, body.startsWith("0") ? 0 : 5), body, maxHeaderLine);
    }

    private static Outcome decode(SignedHeaders seed, String body, int maxHeaderLine) {
        return Outcome.of(
                Decoder.signed(
                        Announced.in(seed.headers()),
                        new Limits(4, 1000, maxHeaderLine, 16, 1000),
                        BufferKind.BYTE_BUFFER,
                        ChunkSignatures.following(seed)),
                wire(body));
    }

    /** A signed body with a signed checksum, after a change. */
    private static Outcome decodeWithTrailer(UnaryOperator<String> change) {
        SignedHeaders seed = Client.seed(Mode.SIGNED_WITH_TRAILER, 11, CRC32);
        byte[] body = Client.signedBody(seed, "hello world".getBytes(ISO_8859_1), 11, CRC32 + ":DUoRhQ==");
        return decode(seed, change.apply(new String(body, ISO_8859_1)), 100);
    }

    private static List<ByteBuffer> wire(String body) {
        return List.of(ByteBuffer.wrap(body.getBytes(ISO_8859_1)));
    }

    private static String unescaped(String body) {
        return body.replace("\\r", "\r").replace("\\n", "\n");
    }
}
