package io.github.reslice.stage;

import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** Hands on what comes, with a piece of its own before the first and one after the last. */
class Enclosed extends PassThrough<String> {

    static final String OPENING = "(";
    static final String CLOSING = ")";

    private boolean opened;
    private boolean ended;
    private @Nullable String latest;

    static Function<Flux<String>, Flux<String>> enclose() {
        return Stage.operator(Enclosed::new);
    }

    @Override
    public void end() {
        ended = true;
    }

    @Override
    public @Nullable String poll() {
        if (!opened) {
            opened = true;
            latest = OPENING;
            return latest;
        }
        latest = super.poll();
        if (latest == null && ended) {
            ended = false;
            latest = CLOSING;
        }
        return latest;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // its own objects, whatever the user's may say
    public void discardUnsent(String piece, Consumer<Object> sink) {
        if (piece != OPENING && piece != CLOSING) {
            sink.accept(piece);
        }
    }
}
