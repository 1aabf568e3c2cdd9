package io.github.reslice;

import io.github.reslice.awschunked.DecodedLengthException;
import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Stage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands a plain body's buffers on as they are, and holds it to its declared length.
 *
 * <p>A plain body has no end mark: a server takes it for complete when it has as many bytes as the Content-Length said. So
 * the buffer that completes the length is held until the body has ended; one that goes on fails before its server has
 * all.
 */
final class ExactLengthStage<B> implements Stage<B, B> {

    private final BufferKind<B> kind;
    private final long declared;
    private long received;
    private @Nullable B buffer;
    private boolean ended;

    ExactLengthStage(BufferKind<B> kind, long declared) {
        this.kind = kind;
        this.declared = declared;
    }

    @Override
    public void feed(B incoming) {
        int size = kind.end(incoming) - kind.start(incoming);
        if (size > declared - received) {
            throw DecodedLengthException.tooLong(declared, received + size);
        }
        if (size == 0) {
            kind.release(incoming);
        } else {
            received += size;
            buffer = incoming;
        }
    }

    @Override
    public void end() {
        if (received < declared) {
            throw DecodedLengthException.tooShort(declared, received);
        }
        ended = true;
    }

    @Override
    public @Nullable B poll() {
        if (received == declared && !ended) {
            return null;
        }
        B piece = buffer;
        buffer = null;
        return piece;
    }

    @Override
    public void discard(Consumer<Object> sink) {
        if (buffer != null) {
            sink.accept(buffer);
        }
    }
}
