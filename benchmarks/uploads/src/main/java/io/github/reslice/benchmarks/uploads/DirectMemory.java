package io.github.reslice.benchmarks.uploads;

import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** Looks every few milliseconds how much direct memory the process has, Netty's included, and keeps the highest. */
final class DirectMemory extends Thread {

    private static final long PERIOD_MILLIS = 5;

    private final BufferPoolMXBean jdks = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElseThrow();
    private long peak;

    DirectMemory() {
        super("direct-memory");
        setDaemon(true);
    }

    /** The highest since it was last asked. */
    synchronized long peak() {
        look();
        long highest = peak;
        peak = 0;
        return highest;
    }

    private synchronized void look() {
        peak = Math.max(peak, jdks.getMemoryUsed() + Math.max(0, PlatformDependent.usedDirectMemory()));
    }

    @Override
    public void run() {
        try {
            while (true) {
                look();
                Thread.sleep(PERIOD_MILLIS);
            }
        } catch (InterruptedException e) {
            interrupt();
        }
    }
}
