package io.github.reslice.awschunked;

import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The framing of an unsigned body: only its end depends on the payload, by the checksum. */
final class UnsignedFraming implements FramingBytes {

    private final Layout layout;
    private final @Nullable RunningChecksum checksum;

    UnsignedFraming(Layout layout) {
        this.layout = layout;
        checksum = layout.startChecksum();
    }

    @Override
    public BufferKind.@Nullable Reader reader() {
        return checksum == null ? null : new ChecksumReader(checksum);
    }

    @Override
    public ByteBuffer chunkHeader(int size, boolean first) {
        return layout.chunkHeader(size, first);
    }

    @Override
    public boolean repeats(int size, boolean first) {
        return size == layout.chunkSize() && !first;
    }

    @Override
    public ByteBuffer end(boolean first) {
        return layout.end(first, checksum == null ? null : checksum.base64());
    }
}
