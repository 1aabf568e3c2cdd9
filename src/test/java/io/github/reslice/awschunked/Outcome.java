package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.reslice.awschunked.AwsChunkedException.Reason;
import io.github.reslice.stage.Stage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What came of a body: what was handed on, and if it was refused, why and where. */
final class Outcome {

    private final byte[] handedOn;
    private final @Nullable AwsChunkedException refusal;

    private Outcome(byte[] handedOn, @Nullable AwsChunkedException refusal) {
        this.handedOn = handedOn;
        this.refusal = refusal;
    }

    /** Drives a decoder by hand to the body's end, or its refusal. */
    static Outcome of(Stage<ByteBuffer, ByteBuffer> decoder, Iterable<ByteBuffer> wire) {
        ByteArrayOutputStream handedOn = new ByteArrayOutputStream();
        AwsChunkedException refusal = null;
        try {
            for (ByteBuffer buffer : wire) {
                decoder.feed(buffer);
                drain(decoder, handedOn);
            }
            decoder.end();
            drain(decoder, handedOn);
        } catch (AwsChunkedException e) {
            refusal = e;
        }
        decoder.discard(rest -> {});
        return new Outcome(handedOn.toByteArray(), refusal);
    }

    private static void drain(Stage<ByteBuffer, ByteBuffer> decoder, ByteArrayOutputStream handedOn) {
        for (ByteBuffer piece = decoder.poll(); piece != null; piece = decoder.poll()) {
            handedOn.writeBytes(Sliced.join(List.of(piece)));
        }
    }

    byte[] handedOn() {
        return handedOn;
    }

    String text() {
        return new String(handedOn, ISO_8859_1);
    }

    @Nullable
    Reason reason() {
        return refusal == null ? null : refusal.reason();
    }

    String message() {
        return refusal == null ? "" : String.valueOf(refusal.getMessage());
    }

    /** {@code complete}, or the reason and the offset. */
    String verdict() {
        return refusal == null ? "complete" : refusal.reason() + " at " + refusal.offset();
    }

    @Override
    public String toString() {
        return verdict() + " after " + handedOn.length + " bytes " + message();
    }
}
