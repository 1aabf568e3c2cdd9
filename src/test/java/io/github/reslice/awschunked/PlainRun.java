package io.github.reslice.awschunked;

import io.github.reslice.stage.Stage;
import java.util.ArrayList;
import java.util.List;

/** Drives a stage by hand, as its contract says, with no subscriber in sight. */
final class PlainRun {

    private PlainRun() {}

    /** Everything that comes out of a stage: fed all of it, and ended. */
    static <B> List<B> of(Stage<B, B> stage, Iterable<B> input) {
        List<B> pieces = new ArrayList<>(upTo(stage, input));
        stage.end();
        drain(stage, pieces);
        return pieces;
    }

    /** What comes out of a stage that is not ended. */
    static <B> List<B> upTo(Stage<B, B> stage, Iterable<B> input) {
        List<B> pieces = new ArrayList<>();
        drain(stage, pieces);
        for (B buffer : input) {
            stage.feed(buffer);
            drain(stage, pieces);
        }
        return pieces;
    }

    private static <B> void drain(Stage<B, B> stage, List<B> pieces) {
        for (B piece = stage.poll(); piece != null; piece = stage.poll()) {
            pieces.add(piece);
        }
    }
}
