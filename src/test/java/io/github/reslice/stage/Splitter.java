package io.github.reslice.stage;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Gives a text letter by letter. */
class Splitter implements Stage<String, String> {

    private String text = "";
    private int position;

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
