package io.github.reslice.awschunked;

import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Makes the framing of one body, in the order of the wire, out of the payload that it is shown. */
interface FramingBytes {

    /** Is shown the payload, each chunk's before its header is asked for; null if nothing depends on it. */
    BufferKind.@Nullable Reader reader();

    /** The bytes from the end of the chunk before, if there is one, to the start of this one's data. Read-only. */
    ByteBuffer chunkHeader(int size, boolean first);

    /** Whether that header is the same each time. */
    boolean repeats(int size, boolean first);

    /** The bytes from the end of the last chunk, if there is one, to the end of the body. Read-only. */
    ByteBuffer end(boolean first);
}
