package io.github.reslice.blocking;

import io.github.reslice.stage.PassThrough;
import java.nio.ByteBuffer;

/** Hands on what it is fed, and blocks. */
final class SleepingStage extends PassThrough<ByteBuffer> {

    @Override
    public void feed(ByteBuffer buffer) {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        super.feed(buffer);
    }
}
