package io.github.reslice.blocking;

import io.github.reslice.stage.Stage;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Hands on what it is fed, and blocks. */
final class SleepingStage implements Stage<ByteBuffer, ByteBuffer> {

    private @Nullable ByteBuffer held;

    @Override
    public void feed(ByteBuffer buffer) {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        held = buffer;
    }

    @Override
    public void end() {}

    @Override
    public @Nullable ByteBuffer poll() {
        ByteBuffer piece = held;
        held = null;
        return piece;
    }

    @Override
    public void discard(Consumer<Object> sink) {
        if (held != null) {
            sink.accept(held);
        }
    }
}
