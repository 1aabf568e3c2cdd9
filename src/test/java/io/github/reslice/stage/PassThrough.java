package io.github.reslice.stage;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Hands on what comes. */
class PassThrough<T> implements Stage<T, T> {

    private @Nullable T held;

    @Override
    public void feed(T buffer) {
        held = buffer;
    }

    @Override
    public void end() {}

    @Override
    public @Nullable T poll() {
        T piece = held;
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
