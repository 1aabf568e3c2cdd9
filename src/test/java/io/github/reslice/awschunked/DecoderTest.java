package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.sigv4.ChunkSignatures;
import io.github.reslice.sigv4.SignedHeaders;
import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a decoder takes, how it hands it on, and how far it has got when it refuses. */
class DecoderTest {

    private static final Limits LIMITS = new Limits(0, 1 << 20, 1024, 16, 8192);
    private static final String CRC32 = "x-amz-checksum-crc32";

    // other clients' bodies

    @ParameterizedTest
    @CsvSource({
        "'', 0CC",
        "hello world, bCChello worldCC0CCCC",
        "hello world, 8CChello woCC3CCrldCC0CCCC",
        "Hello world, 1CCHCC1CCeCC1CClCC1CClCC1CCoCC1CC CC1CCwCC1CCoCC1CCrCC1CClCC1CCdCC0CCCC",
    })
    void takesWhatTheSdkForGoPublishes(String payload, String wire) {
        assertDecodes(announced(), (wire.equals("0CC") ? "0CCCC" : wire).replace("CC", "\r\n"), payload);
    }

    @Test
    void takesTheTrailerThatTheSdkForGoPublishes() {
        assertDecodes(announced("foo"), "b\r\nhello world\r\n0\r\nfoo:abc123\r\n\r\n", "hello world");
    }

    @Test
    void takesWhatTheSdkForRubyPublishes() {
        String x = "x".repeat(0x3ff8);
        assertDecodes(
                announced(CRC32),
                "3ff8\r\n" + x + "\r\n3ff8\r\n" + x + "\r\n10\r\n" + "x".repeat(16) + "\r\n0\r\n" + CRC32
                        + ":uj4bwQ==\r\n\r\n",
                "x".repeat(32768));
        assertDecodes(announced(CRC32), "0\r\n" + CRC32 + ":AAAAAA==\r\n\r\n", "");
    }

    @ParameterizedTest
    @CsvSource({
        "CRC32, DUoRhQ==",
        "CRC32C, yZRlqg==",
        "CRC64NVME, jSnVw/bqjr4=",
        "SHA1, Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
        "SHA256, uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=",
        "SHA512, MJ7MSJwS1utMxA9QyQLytNDtd+5RGnx6m808qG1M2G+YndNbxf9JlnDaNCVbRbDP2DDoH2Bdz33FVC6TrpzXbw==",
        "MD5, XrY7u+Ae7tCTyyK7j1rNww==",
        "XXHASH64, RatnNLIeaWg=",
        "XXHASH3, 1Eex6kDmmIs=",
        "XXHASH128, 340J6T+HSQCpm4d1zBW2xw=="
    })
    void comparesTheChecksumOfEveryAlgorithm(String algorithm, String value) {
        String name = "x-amz-checksum-" + algorithm.toLowerCase(Locale.ROOT);

        assertDecodes(announced(name), "b\r\nhello world\r\n0\r\n" + name + ":" + value + "\r\n\r\n", "hello world");
        assertThat(decode(announced(name), "b\r\nhello worle\r\n0\r\n" + name + ":" + value + "\r\n\r\n")
                        .reason())
                .isEqualTo(AwsChunkedException.Reason.CHECKSUM_MISMATCH);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1f", "1F", "0001f", "000000000000001f"})
    void takesSizesInEitherCaseAndWithZerosInFront(String size) {
        String payload = "x".repeat(31);

        assertDecodes(announced(), size + "\r\n" + payload + "\r\n000\r\n\r\n", payload);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x-amz-checksum-crc32:DUoRhQ==\r\n",
                "x-amz-checksum-crc32: DUoRhQ==\r\n",
                "x-amz-checksum-crc32 :DUoRhQ==\r\n",
                "x-amz-checksum-crc32 \t: \tDUoRhQ==\r\n",
                "x-amz-checksum-crc32:DUoRhQ==\n\r\n",
                "X-Amz-Checksum-CRC32:DUoRhQ==\r\n"
            })
    void takesATrailerAsClientsWriteIt(String trailer) {
        assertDecodes(announced(CRC32), "b\r\nhello world\r\n0\r\n" + trailer + "\r\n", "hello world");
    }

    @Test
    void takesTrailersInAnyOrder() {
        assertDecodes(
                announced("a", "b", CRC32),
                "b\r\nhello world\r\n0\r\nb:1\r\n" + CRC32 + ":DUoRhQ==\r\na:\r\n\r\n",
                "hello world");
    }

    @Test
    void signsTrailersInTheOrderOfTheirNames() {
        SignedHeaders seed = Client.seed(Mode.SIGNED_WITH_TRAILER, 11, "b", CRC32, "a");
        byte[] wire = Client.signedBody(seed, "hello world".getBytes(US_ASCII), 11, "b:1", CRC32 + ":DUoRhQ==", "a:2");

        assertThat(signed(seed, wire).verdict()).isEqualTo("complete");
    }

    @Test
    void takesASignedTrailerSectionWithNothingButItsSignature() {
        SignedHeaders seed = Client.seed(Mode.SIGNED_WITH_TRAILER, 11);

        assertThat(signed(seed, Client.signedBody(seed, "hello world".getBytes(US_ASCII), 11))
                        .verdict())
                .isEqualTo("complete");
    }

    @Test
    void takesASmallChunkIfItIsTheLast() {
        Limits limits = new Limits(6, 100, 100, 0, 0);
        Decoder<ByteBuffer> decoder = Decoder.unsigned(announced(), limits, BufferKind.BYTE_BUFFER);

        assertThat(Outcome.of(decoder, wire("6\r\nhello \r\n5\r\nworld\r\n0\r\n\r\n"))
                        .verdict())
                .isEqualTo("complete");
    }

    // how it is handed on

    @Test
    void aBufferOfOneChunksDataAloneIsHandedOnAsTheSameObject() {
        List<ByteBuffer> wire = wire("5\r\n", "hel", "lo", "\r\n0\r\n\r\n");
        List<ByteBuffer> pieces = PlainRun.of(unsigned(), wire);

        assertThat(pieces).hasSize(2);
        assertThat(pieces.get(0)).isSameAs(wire.get(1));
        assertThat(pieces.get(1)).isSameAs(wire.get(2));
    }

    @Test
    void aBufferWithFramingIsHandedOnAsViews() {
        ByteBuffer wire = wire("5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n").get(0);
        List<ByteBuffer> pieces = PlainRun.of(unsigned(), List.of(wire));

        assertThat(pieces).hasSize(2);
        wire.put(3, (byte) 'H').put(13, (byte) '_');
        assertThat(text(pieces)).isEqualTo("Hello_world");
    }

    @Test
    void dataIsHandedOnWhileItComes() {
        Decoder<ByteBuffer> decoder = unsigned();

        assertThat(text(PlainRun.upTo(decoder, wire("5\r\nhel")))).isEqualTo("hel");
        assertThat(text(PlainRun.upTo(decoder, wire("l")))).isEqualTo("l");
    }

    @Test
    void buffersAreNotTouchedWhateverTheirForm() {
        byte[] payload = new byte[20_000];
        new Random(1).nextBytes(payload);
        for (int seed = 0; seed < 50; seed++) {
            Sliced sliced = Sliced.atRandom(Client.body(payload, 3_000), new Random(seed));

            List<ByteBuffer> pieces = PlainRun.of(unsigned(), sliced.buffers());

            assertThat(Sliced.join(pieces)).as("seed %s", seed).isEqualTo(payload);
            sliced.assertUntouched();
        }
    }

    @Test
    void aBufferThatIsLentTwiceMayBeReadWhileItIsDecoded() {
        ByteBuffer lent = wire("5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n").get(0);
        Decoder<ByteBuffer> decoder = unsigned();
        decoder.feed(lent);
        List<ByteBuffer> pieces = new ArrayList<>();
        pieces.add(decoder.poll());
        lent.position(lent.limit());
        pieces.addAll(PlainRun.of(decoder, List.of()));

        assertThat(text(pieces)).isEqualTo("hello world");
    }

    // how far it has got when a signature is wrong

    @Test
    void theLastPieceOfAChunkWaitsForTheSignature() {
        SignedHeaders seed = Client.seed(Mode.SIGNED, 11);
        byte[] wire = changed(Client.signedBody(seed, "hello world".getBytes(US_ASCII), 6), "hello", 'H');

        assertThat(signed(seed, wire).text()).isEmpty();
        assertThat(signed(seed, wire, 1).text()).isEqualTo("Hello");
    }

    @Test
    void aChunkThatWasSignedIsHandedOnBeforeOneThatWasNot() {
        SignedHeaders seed = Client.seed(Mode.SIGNED, 11);
        byte[] wire = changed(Client.signedBody(seed, "hello world".getBytes(US_ASCII), 6), "world", 'W');

        assertThat(signed(seed, wire).text()).isEqualTo("hello ");
        assertThat(signed(seed, wire, 1).text()).isEqualTo("hello Worl");
    }

    @Test
    void nothingOfAHeldChunkIsHandedOnBeforeItsSignatureIsCompared() {
        SignedHeaders seed = Client.seed(Mode.SIGNED, 11);
        byte[] wire = changed(Client.signedBody(seed, "hello world".getBytes(US_ASCII), 6), "world", 'W');

        for (int size = 1; size < wire.length; size++) {
            Outcome outcome =
                    Outcome.of(holding(seed), Sliced.bySize(wire, size).buffers());
            assertThat(outcome.text()).as("buffers of %s", size).isEqualTo("hello ");
            assertThat(outcome.reason()).isEqualTo(AwsChunkedException.Reason.CHUNK_SIGNATURE_MISMATCH);
        }
    }

    @Test
    void heldChunksAreHandedOnWholeAndInOrder() {
        byte[] payload = new byte[50_000];
        new Random(2).nextBytes(payload);
        SignedHeaders seed = Client.seed(Mode.SIGNED, payload.length);
        byte[] wire = Client.signedBody(seed, payload, 9_000);
        for (int i = 0; i < 50; i++) {
            Sliced sliced = Sliced.atRandom(wire, new Random(i));
            assertThat(Sliced.join(PlainRun.of(holding(seed), sliced.buffers())))
                    .as("seed %s", i)
                    .isEqualTo(payload);
            sliced.assertUntouched();
        }
    }

    @Test
    void largePiecesOfAHeldChunkAreHandedOnAsTheSameObjects() {
        SignedHeaders seed = Client.seed(Mode.SIGNED, 5_000);
        byte[] wire = Client.signedBody(seed, new byte[5_000], 5_000);
        List<ByteBuffer> buffers = cut(wire, 87, 2_000, 1_500, 1_500);

        List<ByteBuffer> pieces = PlainRun.of(holding(seed), buffers);

        assertThat(pieces).usingElementComparator((a, b) -> a == b ? 0 : 1).isEqualTo(buffers.subList(1, 4));
    }

    @Test
    void aHeldPieceThatNobodyReceivedIsDiscardedAsItself() {
        SignedHeaders seed = Client.seed(Mode.SIGNED, 5_000);
        List<ByteBuffer> buffers = cut(Client.signedBody(seed, new byte[5_000], 5_000), 87, 2_000, 1_500, 1_500);

        assertThat(discardedWithTheFirstPiece(seed, buffers.subList(0, 4)))
                .usingElementComparator((a, b) -> a == b ? 0 : 1)
                .isEqualTo(buffers.subList(1, 4));
    }

    @Test
    void aGatheredPieceThatNobodyReceivedIsNotDiscarded() {
        SignedHeaders seed = Client.seed(Mode.SIGNED, 200);
        List<ByteBuffer> buffers = cut(Client.signedBody(seed, new byte[200], 200), 85, 100, 100);

        assertThat(discardedWithTheFirstPiece(seed, buffers.subList(0, 3)))
                .usingElementComparator((a, b) -> a == b ? 0 : 1)
                .isEqualTo(buffers.subList(2, 3));
    }

    private static List<Object> discardedWithTheFirstPiece(SignedHeaders seed, List<ByteBuffer> wire) {
        Decoder<ByteBuffer> decoder = holding(seed);
        List<Object> discarded = new ArrayList<>();
        for (ByteBuffer buffer : wire) {
            decoder.feed(buffer);
            ByteBuffer piece = decoder.poll();
            if (piece != null) {
                decoder.discardUnsent(piece, discarded::add);
            }
        }
        decoder.discard(discarded::add);
        return discarded;
    }

    @Test
    void aFlippedByteAnywhereInASignedBodyIsRefused() {
        SignedHeaders seed = Client.seed(Mode.SIGNED_WITH_TRAILER, 11, CRC32);
        byte[] wire = Client.signedBody(seed, "hello world".getBytes(US_ASCII), 6, CRC32 + ":DUoRhQ==");
        BitSet ofEitherCase = ofEitherCase(new String(wire, US_ASCII));
        for (int i = 0; i < wire.length; i++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] flipped = wire.clone();
                flipped[i] ^= (byte) (1 << bit);
                boolean sameLetter = bit == 5 && Character.isLetter(wire[i]) && ofEitherCase.get(i);
                assertThat(signed(seed, flipped).verdict().equals("complete"))
                        .as("bit %s of byte %s", bit, i)
                        .isEqualTo(sameLetter);
            }
        }
    }

    /** Where a letter's case says nothing: in hexadecimal digits and trailers' names. */
    private static BitSet ofEitherCase(String wire) {
        BitSet places = new BitSet();
        Matcher matcher = Pattern.compile("(?<=chunk-signature=|trailer-signature:)[0-9a-f]{64}|x-amz-[a-z0-9-]+(?=:)")
                .matcher(wire);
        while (matcher.find()) {
            places.set(matcher.start(), matcher.end());
        }
        return places;
    }

    @Test
    void aBodyOfAnotherRequestIsRefused() {
        SignedHeaders other = Client.seed(Mode.SIGNED, 12);
        byte[] wire = Client.signedBody(other, "hello world".getBytes(US_ASCII), 6);

        assertThat(signed(Client.seed(Mode.SIGNED, 11), wire).reason())
                .isEqualTo(AwsChunkedException.Reason.CHUNK_SIGNATURE_MISMATCH);
    }

    @Test
    void chunksThatChangedPlacesAreRefused() {
        SignedHeaders seed = Client.seed(Mode.SIGNED, 12);
        String wire = new String(Client.signedBody(seed, "hello world!".getBytes(US_ASCII), 6), US_ASCII);
        int chunk = 1 + 81 + 2 + 6 + 2;
        String swapped = wire.substring(chunk, 2 * chunk) + wire.substring(0, chunk) + wire.substring(2 * chunk);

        assertThat(signed(seed, swapped.getBytes(US_ASCII)).reason())
                .isEqualTo(AwsChunkedException.Reason.CHUNK_SIGNATURE_MISMATCH);
    }

    private static byte[] changed(byte[] wire, String word, char first) {
        byte[] changed = wire.clone();
        changed[new String(wire, US_ASCII).indexOf(word)] = (byte) first;
        return changed;
    }

    private static void assertDecodes(Announced announced, String wire, String payload) {
        Outcome outcome = decode(announced, wire);

        assertThat(outcome.verdict()).as(outcome.message()).isEqualTo("complete");
        assertThat(outcome.text()).isEqualTo(payload);
    }

    private static Outcome decode(Announced announced, String wire) {
        return Outcome.of(Decoder.unsigned(announced, LIMITS, BufferKind.BYTE_BUFFER), wire(wire));
    }

    private static Decoder<ByteBuffer> unsigned() {
        return Decoder.unsigned(Announced.NOTHING, LIMITS, BufferKind.BYTE_BUFFER);
    }

    private static Outcome signed(SignedHeaders seed, byte[] wire) {
        return signed(seed, wire, wire.length);
    }

    private static Outcome signed(SignedHeaders seed, byte[] wire, int bufferSize) {
        return Outcome.of(
                Decoder.signed(
                        Announced.in(seed.headers()), LIMITS, BufferKind.BYTE_BUFFER, ChunkSignatures.following(seed)),
                Sliced.bySize(wire, bufferSize).buffers());
    }

    private static Decoder<ByteBuffer> holding(SignedHeaders seed) {
        return Decoder.holdingChunks(
                Announced.in(seed.headers()), LIMITS, BufferKind.BYTE_BUFFER, ChunkSignatures.following(seed));
    }

    private static Announced announced(String... trailers) {
        return new Announced(null, null, new TreeSet<>(List.of(trailers)));
    }

    private static List<ByteBuffer> wire(String... parts) {
        List<ByteBuffer> buffers = new ArrayList<>();
        for (String part : parts) {
            buffers.add(ByteBuffer.wrap(part.getBytes(US_ASCII)));
        }
        return buffers;
    }

    private static List<ByteBuffer> cut(byte[] wire, int... sizes) {
        List<ByteBuffer> buffers = new ArrayList<>();
        int from = 0;
        for (int size : sizes) {
            buffers.add(ByteBuffer.wrap(wire, from, size).slice());
            from += size;
        }
        buffers.add(ByteBuffer.wrap(wire, from, wire.length - from).slice());
        return buffers;
    }

    private static String text(List<ByteBuffer> pieces) {
        return new String(Sliced.join(pieces), US_ASCII);
    }
}
