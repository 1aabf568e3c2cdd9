package io.github.reslice.soak;

import io.netty.buffer.PooledByteBufAllocator;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;

/** What is in use while no upload runs: bytes, and threads that are not the server's. */
record Usage(long heap, long direct, long threads) {

    static Usage now(Collection<PooledByteBufAllocator> allocators) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(50);
        }
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        long byJdk = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        long byNetty = allocators.stream()
                .mapToLong(allocator -> allocator.metric().usedDirectMemory())
                .sum();
        long threads = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.getName().equals(SoakServer.THREAD))
                .count();
        return new Usage(heap, byJdk + byNetty, threads);
    }

    @Override
    public String toString() {
        return heap / 1024 + " KiB of heap, " + direct / 1024 + " KiB of direct memory and " + threads + " threads";
    }
}
