package io.github.reslice.examples;

import io.github.reslice.stage.Stage;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

// as the Javadoc of Stage and the README show it
final class LengthPrefix implements Stage<ByteBuffer, ByteBuffer> {
    private @Nullable ByteBuffer buffer;
    private boolean prefixed;

    @Override
    public void feed(ByteBuffer incoming) {
        buffer = incoming;
        prefixed = false;
    }

    @Override
    public void end() {}

    @Override
    public @Nullable ByteBuffer poll() {
        if (buffer != null && !prefixed) {
            prefixed = true;
            return ByteBuffer.allocate(4).putInt(0, buffer.remaining());
        }
        ByteBuffer piece = buffer;
        buffer = null;
        return piece;
    }

    @Override
    public void discardUnsent(ByteBuffer piece, Consumer<Object> sink) {
        if (buffer == null) sink.accept(piece); // else it is a prefix, and not the user's
    }

    @Override
    public void discard(Consumer<Object> sink) {
        if (buffer != null) sink.accept(buffer);
    }
}
