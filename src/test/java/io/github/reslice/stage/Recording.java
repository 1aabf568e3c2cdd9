package io.github.reslice.stage;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/** Writes down the calls that a stage gets. */
final class Recording<T> implements Stage<T, T> {

    final Queue<String> calls = new ArrayDeque<>();
    private final Stage<T, T> stage;

    Recording(Stage<T, T> stage) {
        this.stage = stage;
    }

    @Override
    public void feed(T buffer) {
        calls.add("feed " + buffer);
        stage.feed(buffer);
    }

    @Override
    public void end() {
        calls.add("end");
        stage.end();
    }

    @Override
    public T poll() {
        return stage.poll();
    }

    @Override
    public void discard(Consumer<Object> sink) {
        calls.add("discard");
        stage.discard(sink);
    }
}
