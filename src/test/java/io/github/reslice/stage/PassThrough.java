package io.github.reslice.stage;

import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** Hands on what comes. */
public class PassThrough<T> implements Stage<T, T> {

    private @Nullable T held;

    static Function<Flux<String>, Flux<String>> passThrough() {
        return Stage.operator(PassThrough::new);
    }

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
