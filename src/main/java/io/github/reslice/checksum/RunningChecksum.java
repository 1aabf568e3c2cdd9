package io.github.reslice.checksum;

import java.nio.ByteBuffer;

/** A checksum over the bytes seen so far. Not thread-safe. */
public abstract class RunningChecksum {

    /** A checksum over nothing yet. */
    protected RunningChecksum() {}

    /**
     * Adds the bytes between position and limit, and touches neither.
     *
     * @param buffer the bytes
     */
    public abstract void update(ByteBuffer buffer);

    /**
     * The checksum in base64, as S3 writes it. Ends this computation.
     *
     * @return the checksum
     */
    public abstract String base64();
}
