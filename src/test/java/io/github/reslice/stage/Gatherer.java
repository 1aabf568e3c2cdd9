package io.github.reslice.stage;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** Joins a number of texts into one. */
class Gatherer implements Stage<String, String> {

    private final int count;
    private final List<String> held = new ArrayList<>();
    private boolean ended;

    Gatherer(int count) {
        this.count = count;
    }

    static Function<Flux<String>, Flux<String>> gather(int count) {
        return Stage.operator(() -> new Gatherer(count));
    }

    @Override
    public void feed(String buffer) {
        held.add(buffer);
    }

    @Override
    public void end() {
        ended = true;
    }

    @Override
    public @Nullable String poll() {
        if (held.size() < count && !(ended && !held.isEmpty())) {
            return null;
        }
        String joined = String.join("", held);
        held.clear();
        return joined;
    }

    @Override
    public void discard(Consumer<Object> sink) {
        held.forEach(sink);
    }
}
