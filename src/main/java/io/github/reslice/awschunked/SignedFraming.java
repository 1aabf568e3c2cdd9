package io.github.reslice.awschunked;

import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.sigv4.ChunkSignatures;
import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The framing of a signed body: each chunk's header signs its data, and the end signs the trailers. */
final class SignedFraming implements FramingBytes {

    private final SignedLayout layout;
    private final ChunkSignatures signatures;
    private final @Nullable RunningChecksum checksum;

    SignedFraming(SignedLayout layout, ChunkSignatures signatures) {
        this.layout = layout;
        this.signatures = signatures;
        checksum = layout.startChecksum();
    }

    @Override
    public BufferKind.Reader reader() {
        RunningChecksum alsoRead = checksum;
        if (alsoRead == null) {
            return new OnHeap(signatures::update);
        }
        return new OnHeap((bytes, from, length) -> {
            signatures.update(bytes, from, length);
            alsoRead.update(bytes, from, length);
        });
    }

    @Override
    public ByteBuffer chunkHeader(int size, boolean first) {
        return layout.chunkHeader(size, first, signatures);
    }

    @Override
    public boolean repeats(int size, boolean first) {
        return false;
    }

    @Override
    public ByteBuffer end(boolean first) {
        return layout.end(first, checksum == null ? null : checksum.base64(), signatures);
    }
}
