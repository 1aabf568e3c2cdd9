package io.github.reslice.awschunked;

import io.github.reslice.stage.BufferKind;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What must hold whatever comes in: the decoder takes what {@link PlainDecoder} takes and refuses the rest with its own
 * exception, hands the same bytes on, says the same however the body is cut, and keeps no more memory than its bounds.
 */
final class DecoderCheck {

    /** What a decoder has before anything came: a line's first buffer, signatures, strings to sign, what was announced. */
    private static final int FIXED = 4096;

    private final DecoderCase body;
    private final PlainDecoder.Reading expected;

    private DecoderCheck(DecoderCase body) {
        this.body = body;
        expected = body.expected();
    }

    /** Throws an AssertionError if one of these does not hold, or whatever the decoder has thrown. */
    static void check(byte[] input) {
        DecoderCase body = new DecoderCase(input);
        new DecoderCheck(body).run();
    }

    private void run() {
        Result whole = whole();
        Result byByte = byByte();
        Result sliced = sliced();
        requireSame(whole, byByte, "byte by byte");
        requireSame(whole, sliced, "in slices");
        require(
                (whole.refusal == null) == (expected.refusal() == null),
                "the plain decoder says " + expected.refusal() + ", but the decoder " + whole.verdict());
        List.of(whole, byByte, sliced).forEach(this::requireRightPayload);
        requireAllThatIsDue(byByte);
    }

    private Result whole() {
        return drive(
                body.decoder(BufferKind.BYTE_BUFFER),
                List.of(ByteBuffer.wrap(body.wire())).iterator(),
                DecoderCheck::bytes,
                () -> {});
    }

    private Result byByte() {
        Decoder<ByteBuffer> decoder = body.decoder(BufferKind.BYTE_BUFFER);
        ByteBuffer wire = ByteBuffer.wrap(body.wire());
        Iterator<ByteBuffer> bytes = IntStream.range(0, body.wire().length)
                .mapToObj(i -> wire.duplicate().limit(i + 1).position(i))
                .iterator();
        return drive(decoder, bytes, DecoderCheck::bytes, () -> {});
    }

    private Result sliced() {
        Pool pool = new Pool();
        Decoder<Pool.Buffer> decoder = body.decoder(pool);
        int[] from = {0};
        Iterator<Pool.Buffer> slices = body.slices().stream()
                .map(size -> {
                    from[0] += size;
                    return pool.allocate(body.wire(), from[0] - size, size, size + body.memoryBehind());
                })
                .iterator();
        Function<Pool.Buffer, byte[]> receive = piece -> {
            byte[] bytes = bytes(piece.bytes());
            pool.release(piece);
            return bytes;
        };
        Result result = drive(decoder, slices, receive, () -> requireLittleHeld(pool.liveBytes()));
        requireLittleKept(decoder);
        decoder.discard(rest -> pool.release((Pool.Buffer) rest));
        require(pool.live().isEmpty(), "buffers were not released");
        return result;
    }

    private static <B> Result drive(
            Decoder<B> decoder, Iterator<B> wire, Function<B, byte[]> receive, Runnable whenDrained) {
        ByteArrayOutputStream handedOn = new ByteArrayOutputStream();
        try {
            while (wire.hasNext()) {
                decoder.feed(wire.next());
                drain(decoder, receive, handedOn);
                whenDrained.run();
            }
            decoder.end();
            drain(decoder, receive, handedOn);
            return new Result(handedOn.toByteArray(), null);
        } catch (AwsChunkedException e) {
            return new Result(handedOn.toByteArray(), e);
        }
    }

    private static <B> void drain(Decoder<B> decoder, Function<B, byte[]> receive, ByteArrayOutputStream handedOn) {
        for (B piece = decoder.poll(); piece != null; piece = decoder.poll()) {
            byte[] bytes = receive.apply(piece);
            require(bytes.length > 0, "an empty piece was handed on");
            handedOn.writeBytes(bytes);
        }
    }

    private static byte[] bytes(ByteBuffer piece) {
        byte[] bytes = new byte[piece.remaining()];
        piece.get(piece.position(), bytes);
        return bytes;
    }

    private void requireLittleHeld(long bytes) {
        long most = body.holdsChunks() ? 2L * expected.largestChunk() : 0;
        require(bytes <= most, "more than " + most + " bytes are held: " + bytes);
    }

    private void requireLittleKept(Decoder<?> decoder) {
        long bytes = Reachable.bytes(decoder);
        long lines = Math.max(body.limits().maxHeaderLine(), 3L * body.limits().maxTrailerSize());
        long came = 3L * body.wire().length;
        long most = FIXED + Math.min(lines, came) + (body.holdsChunks() ? 2L * expected.largestChunk() : 0);
        require(bytes <= most, "more than " + most + " bytes are kept: " + bytes);
    }

    private void requireSame(Result whole, Result cut, String how) {
        require(whole.verdict().equals(cut.verdict()), "whole: " + whole.verdict() + ", " + how + ": " + cut.verdict());
    }

    private void requireRightPayload(Result result) {
        byte[] handedOn = result.handedOn;
        byte[] payload = expected.payload();
        require(
                result.refusal == null
                        ? Arrays.equals(handedOn, payload)
                        : isStartOfPayload(handedOn) && handedOn.length <= most(),
                "what was handed on is not the payload: " + handedOn.length + " bytes, " + result.verdict());
        require(result.refusal == null || result.refusal.offset() <= body.wire().length, "an offset behind the body");
        // what was signed does not wait for what follows
        require(handedOn.length >= payload.length, "a chunk was not handed on: " + handedOn.length + " bytes");
    }

    private boolean isStartOfPayload(byte[] handedOn) {
        int signed = Math.min(handedOn.length, expected.payload().length);
        int open = handedOn.length - signed;
        return Arrays.equals(handedOn, 0, signed, expected.payload(), 0, signed)
                && open <= expected.unchecked().length
                && Arrays.equals(handedOn, signed, handedOn.length, expected.unchecked(), 0, open);
    }

    private int most() {
        return expected.payload().length + (body.holdsChunks() ? 0 : expected.unchecked().length);
    }

    private void requireAllThatIsDue(Result byByte) {
        require(byByte.handedOn.length == most(), most() + " bytes were due, byte by byte: " + byByte.handedOn.length);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    private static final class Result {

        private final byte[] handedOn;
        private final @Nullable AwsChunkedException refusal;

        Result(byte[] handedOn, @Nullable AwsChunkedException refusal) {
            this.handedOn = handedOn;
            this.refusal = refusal;
        }

        String verdict() {
            return refusal == null ? "complete" : refusal.reason() + " at " + refusal.offset();
        }
    }
}
