package io.github.reslice.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Has Netty follow every buffer, and fails a test class that lost one.
 *
 * <pre>{@code
 * @ExtendWith(NoLeaks.class)
 * class UploadLeakTest { ... }
 * }</pre>
 *
 * @see ExtendWith
 */
public final class NoLeaks implements BeforeAllCallback, AfterAllCallback {

    private final Queue<String> leaks = new ConcurrentLinkedQueue<>();
    private ResourceLeakDetector.Level levelBefore = ResourceLeakDetector.getLevel();

    @Override
    public void beforeAll(ExtensionContext context) {
        levelBefore = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ByteBufUtil.setLeakListener((type, records) -> leaks.add(type + "\n" + records));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        for (int i = 0; i < 3; i++) {
            System.gc();
            System.runFinalization();
            // the detector looks for lost buffers whenever one is made
            PooledByteBufAllocator.DEFAULT.directBuffer(1).release();
            ByteBufAllocator.DEFAULT.directBuffer(1).release();
        }
        ResourceLeakDetector.setLevel(levelBefore);
        ByteBufUtil.setLeakListener(null);
        assertThat(leaks).isEmpty();
    }
}
