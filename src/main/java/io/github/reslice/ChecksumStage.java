package io.github.reslice;

import io.github.reslice.awschunked.ChecksumReader;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Stage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Hands buffers on unchanged, and tells their checksum at the end. */
final class ChecksumStage<B> implements Stage<B, B> {

    private final BufferKind<B> kind;
    private final Consumer<String> atEnd;
    private final RunningChecksum checksum;
    private final BufferKind.Reader update;
    private @Nullable B buffer;

    ChecksumStage(BufferKind<B> kind, ChecksumAlgorithm algorithm, Consumer<String> atEnd) {
        this.kind = kind;
        this.atEnd = atEnd;
        checksum = algorithm.start();
        update = new ChecksumReader(checksum);
    }

    @Override
    public void feed(B incoming) {
        buffer = incoming;
        int start = kind.start(incoming);
        kind.read(incoming, start, kind.end(incoming) - start, update);
    }

    @Override
    public void end() {
        atEnd.accept(checksum.base64());
    }

    @Override
    public @Nullable B poll() {
        B piece = buffer;
        buffer = null;
        return piece;
    }

    @Override
    public void discard(Consumer<Object> sink) {
        if (buffer != null) {
            sink.accept(buffer);
        }
    }
}
