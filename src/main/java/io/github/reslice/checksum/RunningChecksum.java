package io.github.reslice.checksum;

import java.nio.ByteBuffer;

/** A checksum over the bytes seen so far. Not thread-safe. */
public abstract class RunningChecksum {

    /** Adds the bytes between position and limit, and touches neither. */
    public abstract void update(ByteBuffer buffer);

    /** The checksum in base64, as S3 writes it. Ends this computation. */
    public abstract String base64();
}
