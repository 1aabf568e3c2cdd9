package io.github.reslice.stage;

import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** Gives a text letter by letter. */
class Splitter implements Stage<String, String> {

    private String text = "";
    private int position;

    static Function<Flux<String>, Flux<String>> split() {
        return Stage.operator(Splitter::new);
    }

    @Override
    public void feed(String buffer) {
        text = buffer;
        position = 0;
    }

    @Override
    public void end() {}

    @Override
    public @Nullable String poll() {
        if (position == text.length()) {
            return null;
        }
        position++;
        return text.substring(position - 1, position);
    }

    @Override
    public void discardUnsent(String piece, Consumer<Object> sink) {
        position -= piece.length();
    }

    @Override
    public void discard(Consumer<Object> sink) {
        if (position < text.length()) {
            sink.accept(position == 0 ? text : text.substring(position));
        }
    }
}
