package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.Effort;
import io.github.reslice.sigv4.ChunkSignatures;
import io.github.reslice.sigv4.SignedHeaders;
import io.github.reslice.stage.BufferKind;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random bodies, right and wrong: the decoder takes what a plain, independent one takes, and nothing else. */
class DecoderAgreementTest {

    private static final int CASES = Effort.cases(6_000, 200_000);

    @Test
    void takesWhatAnIndependentDecoderTakesAndNothingElse() {
        int taken = 0;
        for (int seed = 0; seed < CASES; seed++) {
            Case example = new Case(new Random(seed));
            byte[] expected = example.plainly();
            Outcome outcome = example.decoded();
            String body = "seed " + seed + ": " + outcome + " of " + new String(example.wire, ISO_8859_1);
            assertThat(outcome.verdict().equals("complete")).as(body).isEqualTo(expected != null);
            if (expected != null) {
                taken++;
                assertThat(outcome.handedOn()).as(body).isEqualTo(expected);
            }
        }
        assertThat(taken).as("of %s bodies", CASES).isBetween(CASES / 5, CASES * 4 / 5);
    }

    private static final class Case {

        private static final List<String> NAMES = List.of(
                "x-amz-checksum-crc32",
                "x-amz-checksum-crc32c",
                "x-amz-checksum-sha1",
                "x-amz-checksum-sha256",
                "x-note",
                "a");

        private final Random random;
        private final Mode mode;
        private final PlainDecoder.Announcement announced;
        private final @Nullable SignedHeaders seed;
        private final byte[] wire;

        Case(Random random) {
            this.random = random;
            mode = List.of(Mode.values()).get(random.nextInt(3));
            byte[] payload = new byte[random.nextInt(4) == 0 ? 0 : random.nextInt(60)];
            random.nextBytes(payload);
            long length = oneIn(4) ? -1 : payload.length + (oneIn(15) ? random.nextInt(3) - 1 : 0);
            length = length < -1 ? 0 : length;
            Set<String> trailers = new TreeSet<>();
            if (mode != Mode.SIGNED) {
                if (oneIn(2)) trailers.add(NAMES.get(random.nextInt(4)));
                if (oneIn(4)) trailers.add("x-note");
                if (oneIn(6)) trailers.add("a");
            }
            announced = new PlainDecoder.Announcement(
                    mode.headerValue(), length, trailers, random.nextInt(4), 10 + random.nextInt(60));
            seed = mode.isSigned() ? Client.seed(mode, Math.max(0, length), trailers.toArray(new String[0])) : null;
            byte[] written = write(payload);
            wire = oneIn(2) ? written : mutated(written);
        }

        private boolean oneIn(int n) {
            return random.nextInt(n) == 0;
        }

        private byte[] write(byte[] payload) {
            PlainChunkSigner signer = seed == null ? null : Client.signer(seed);
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            int usual = Math.max(announced.minChunkSize(), 3) + random.nextInt(12);
            for (int from = 0; from < payload.length; ) {
                int size = Math.min(payload.length - from, oneIn(40) ? 1 + random.nextInt(80) : usual);
                byte[] data = Arrays.copyOfRange(payload, from, from + size);
                header(body, data, signer);
                body.writeBytes(data);
                text(body, "\r\n");
                from += size;
            }
            header(body, new byte[0], signer);
            trailers(body, payload, signer);
            return body.toByteArray();
        }

        private void header(ByteArrayOutputStream body, byte[] data, @Nullable PlainChunkSigner signer) {
            String size = "0".repeat(oneIn(6) ? random.nextInt(17) : 0) + anyCase(Integer.toHexString(data.length));
            String signature = signer == null ? "" : ";chunk-signature=" + anyCase(signer.chunk(data));
            text(body, size + signature + "\r\n");
        }

        private void trailers(ByteArrayOutputStream body, byte[] payload, @Nullable PlainChunkSigner signer) {
            List<String> names = new ArrayList<>(announced.trailers());
            if (oneIn(25)) names.add(NAMES.get(random.nextInt(NAMES.size())));
            if (oneIn(25) && !names.isEmpty()) names.remove(random.nextInt(names.size()));
            Collections.shuffle(names, random);
            TreeMap<String, String> values = new TreeMap<>();
            for (String name : names) {
                String value = name.startsWith("x-amz-checksum-") && !oneIn(25)
                        ? PlainDecoder.checksum(name, payload)
                        : List.of("", "1", "a b", "AAAAAA==", "x:y").get(random.nextInt(5));
                values.put(name, value);
                text(body, anyCase(name) + blanks() + ":" + blanks() + value + trailerEnd());
            }
            if (mode == Mode.SIGNED_WITH_TRAILER || oneIn(60)) {
                StringBuilder lines = new StringBuilder();
                values.forEach((name, value) ->
                        lines.append(name).append(':').append(value).append('\n'));
                String signature = signer == null ? "a".repeat(64) : signer.trailer(lines.toString());
                text(body, "x-amz-trailer-signature" + blanks() + ":" + blanks() + anyCase(signature) + trailerEnd());
            }
            text(body, "\r\n");
        }

        private String anyCase(String text) {
            return oneIn(4) ? text.toUpperCase(Locale.ROOT) : text;
        }

        private String blanks() {
            return oneIn(5) ? " \t".repeat(random.nextInt(3)) : "";
        }

        private String trailerEnd() {
            return oneIn(5) ? "\n\r\n" : "\r\n";
        }

        private static void text(ByteArrayOutputStream body, String text) {
            body.writeBytes(text.getBytes(ISO_8859_1));
        }

        /** The body with one to three small changes, most of which break it. */
        private byte[] mutated(byte[] body) {
            byte[] bytes = body;
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                int at = random.nextInt(bytes.length + 1);
                int size = Math.min(bytes.length - at, 1 + random.nextInt(oneIn(3) ? 30 : 2));
                byte[] part = Arrays.copyOfRange(bytes, at, at + size);
                byte[] syntax = List.of("\r\n", "\n", "0", " ", ":", ";", "0\r\n", "\r", "+", "f")
                        .get(random.nextInt(10))
                        .getBytes(ISO_8859_1);
                bytes = switch (random.nextInt(6)) {
                    case 0 -> Arrays.copyOf(bytes, at);
                    case 1 -> replaced(bytes, at, size, new byte[0]);
                    case 2 -> replaced(bytes, at, 0, part);
                    case 3 -> replaced(bytes, at, 0, syntax);
                    case 4 -> replaced(bytes, at, size, syntax);
                    default -> size == 0 ? bytes : flipped(bytes, at);
                };
            }
            return bytes;
        }

        private byte[] flipped(byte[] bytes, int at) {
            byte[] flipped = bytes.clone();
            flipped[at] ^= (byte) (1 << random.nextInt(8));
            return flipped;
        }

        private static byte[] replaced(byte[] bytes, int at, int size, byte[] by) {
            ByteArrayOutputStream changed = new ByteArrayOutputStream();
            changed.write(bytes, 0, at);
            changed.writeBytes(by);
            changed.write(bytes, at + size, bytes.length - at - size);
            return changed.toByteArray();
        }

        byte @Nullable [] plainly() {
            return PlainDecoder.decode(wire, announced, seed == null ? null : Client.signer(seed));
        }

        Outcome decoded() {
            Announced known = new Announced(
                    mode, announced.length() < 0 ? null : announced.length(), new TreeSet<>(announced.trailers()));
            Limits limits = new Limits(announced.minChunkSize(), announced.maxChunkSize(), 1024, 16, 8192);
            return Outcome.of(
                    decoder(known, limits), Sliced.atRandom(wire, random).buffers());
        }

        private Decoder<ByteBuffer> decoder(Announced known, Limits limits) {
            BufferKind<ByteBuffer> kind = BufferKind.BYTE_BUFFER;
            if (seed == null) {
                return Decoder.unsigned(known, limits, kind);
            }
            ChunkSignatures signatures = ChunkSignatures.following(seed);
            return oneIn(2)
                    ? Decoder.signed(known, limits, kind, signatures)
                    : Decoder.holdingChunks(known, limits, kind, signatures);
        }
    }
}
