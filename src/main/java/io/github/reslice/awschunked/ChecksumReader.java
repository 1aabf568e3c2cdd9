package io.github.reslice.awschunked;

import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Shows bytes to a checksum, in the way that costs the least. */
public final class ChecksumReader implements BufferKind.Reader {

    private final RunningChecksum checksum;

    /**
     * A reader for a checksum.
     *
     * @param checksum gets the bytes
     */
    public ChecksumReader(RunningChecksum checksum) {
        this.checksum = Objects.requireNonNull(checksum, "checksum");
    }

    @Override
    public void read(ByteBuffer bytes, int from, int length) {
        checksum.update(bytes, from, length);
    }

    @Override
    public void readArray(byte[] bytes, int from, int length) {
        checksum.update(bytes, from, length);
    }

    @Override
    public void readView(ByteBuffer view) {
        checksum.consume(view);
    }
}
