package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.reslice.sigv4.ChunkSignatures;
import io.github.reslice.sigv4.SignedHeaders;
import io.github.reslice.stage.BufferKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What one input of the fuzzer means. The first bytes are the settings, one each:
 *
 * <pre>
 * 0  mode and what the rest is: 0 unsigned, 1 signed, 2 with signed trailers; + 4 chunks are held; + 8 a script
 * 1  announced trailers: 0 none, 1 CRC32, 2 CRC32C, 3 SHA256; + 4 x-note; + 8 x-amz-meta-b; + 16 nothing is known of them
 * 2  bounds: + 0..3 smallest chunk, + 0..12 largest chunk, + 0..112 header line
 * 3  bound of the trailers' size
 * 4  declared length: 0 none, 1 the right one, 2 one more, 3 one less; without a script the value in the upper 6 bits
 * 5  slices: bytes of every other buffer, 0 to 63; + 64, 128, 192 memory behind each
 * 6  slices: an eighth of the bytes of those between
 * </pre>
 *
 * <p>What follows is the body as it stands on the wire or, since no fuzzer guesses a signature, a {@link BodyScript}.
 */
final class DecoderCase {

    static final List<String> CHECKSUMS =
            List.of("x-amz-checksum-crc32", "x-amz-checksum-crc32c", "x-amz-checksum-sha256");

    private static final SignedHeaders SEED = Client.seed(Mode.SIGNED_WITH_TRAILER, 0);

    private final Mode mode;
    private final boolean holdsChunks;
    private final Announced announced;
    private final Limits limits;
    private final byte[] wire;
    private final int oneSlice;
    private final int otherSlice;
    private final int memoryBehind;

    DecoderCase(byte[] bytes) {
        InputBytes input = new InputBytes(bytes);
        int kind = input.next();
        mode = List.of(Mode.UNSIGNED, Mode.SIGNED, Mode.SIGNED_WITH_TRAILER, Mode.UNSIGNED)
                .get(kind & 3);
        holdsChunks = (kind & 4) != 0 && mode.isSigned();
        SortedSet<String> named = trailers(input.next());
        SortedSet<String> trailers = mode == Mode.SIGNED ? null : named;
        limits = limits(input.next(), input.next());
        int length = input.next();
        int slices = input.next();
        oneSlice = slices & 63;
        memoryBehind = new int[] {0, 100, 2000, 100_000}[slices >> 6];
        otherSlice = 1 + 8 * input.next();
        if ((kind & 8) == 0) {
            wire = input.rest();
            announced = new Announced(mode, length == 0 ? null : (long) length >> 2, trailers);
        } else {
            BodyScript script = new BodyScript(input, trailers == null ? new TreeSet<>() : trailers, signer(), mode);
            wire = script.wire();
            announced = new Announced(mode, declared(length, script.payloadLength()), trailers);
        }
    }

    private static @Nullable SortedSet<String> trailers(int choice) {
        TreeSet<String> trailers = new TreeSet<>();
        if ((choice & 3) != 0) {
            trailers.add(CHECKSUMS.get((choice & 3) - 1));
        }
        if ((choice & 4) != 0) {
            trailers.add("x-note");
        }
        if ((choice & 8) != 0) {
            trailers.add("x-amz-meta-b");
        }
        return (choice & 16) != 0 ? null : trailers;
    }

    private static Limits limits(int chunks, int trailers) {
        return new Limits(
                new int[] {0, 1, 4, 100}[chunks & 3],
                new int[] {1 << 30, 8, 64, 3000}[chunks >> 2 & 3],
                new int[] {1024, 1, 3, 82, 83, 98, 200, Integer.MAX_VALUE}[chunks >> 4 & 7],
                3,
                new int[] {8192, 0, 29, 30, 90, 130, 1000, Integer.MAX_VALUE}[trailers & 7]);
    }

    private static @Nullable Long declared(int choice, long right) {
        return switch (choice & 3) {
            case 1 -> right;
            case 2 -> right + 1;
            case 3 -> Math.max(0, right - 1);
            default -> null;
        };
    }

    Mode mode() {
        return mode;
    }

    byte[] wire() {
        return wire;
    }

    Limits limits() {
        return limits;
    }

    boolean holdsChunks() {
        return holdsChunks;
    }

    /** What a buffer's memory has beside what the buffer shows. */
    int memoryBehind() {
        return memoryBehind;
    }

    /** The sizes of the buffers in which the body comes, empty ones among them. */
    List<Integer> slices() {
        List<Integer> sizes = new ArrayList<>();
        for (int left = wire.length; left > 0; left -= sizes.get(sizes.size() - 1)) {
            sizes.add(Math.min(left, sizes.size() % 2 == 0 ? oneSlice : otherSlice));
        }
        return sizes;
    }

    /** The code under test, new. */
    <B> Decoder<B> decoder(BufferKind<B> kind) {
        if (!mode.isSigned()) {
            return Decoder.unsigned(announced, limits, kind);
        }
        ChunkSignatures signatures = ChunkSignatures.following(SEED);
        return holdsChunks
                ? Decoder.holdingChunks(announced, limits, kind, signatures)
                : Decoder.signed(announced, limits, kind, signatures);
    }

    /** What the plain decoder says. */
    PlainDecoder.Reading expected() {
        return PlainDecoder.read(wire, announced, limits, signer());
    }

    private @Nullable PlainChunkSigner signer() {
        return mode.isSigned() ? Client.signer(SEED) : null;
    }

    @Override
    public String toString() {
        return mode + (holdsChunks ? " holding chunks, " : ", ") + announced + ", " + limits + ", buffers of "
                + oneSlice
                + " and " + otherSlice + " bytes with " + memoryBehind + " behind, "
                + Quoted.text(new String(wire, ISO_8859_1));
    }
}
