package io.github.reslice.awschunked;

import io.github.reslice.stage.BufferKind;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Hands on nothing of a chunk before its signature has been compared. What has come until then is held. */
final class VerifiedChunkData<B> extends ChunkData<B> {

    private final HeldChunk<B> held;
    private boolean verified;
    private boolean latestWasHeld;

    VerifiedChunkData(BufferKind<B> kind, Checks checks, ChunkHeader header) {
        super(kind, checks, header);
        held = new HeldChunk<>(kind, 0);
    }

    @Override
    void open() {
        super.open();
        verified = false;
        held.expect(left());
    }

    @Override
    @Nullable
    B poll() {
        if (!verified) {
            verified = check();
            if (!verified) {
                moveTo(held);
                return null;
            }
            held.seal();
        }
        B piece = held.poll();
        latestWasHeld = piece != null;
        return latestWasHeld ? piece : take();
    }

    @Override
    void discardUnsent(B piece, Consumer<Object> sink) {
        if (latestWasHeld) {
            held.discardUnsent(piece, sink);
        } else {
            super.discardUnsent(piece, sink);
        }
    }

    @Override
    void discard(Consumer<Object> sink) {
        held.discard(sink);
        super.discard(sink);
    }
}
