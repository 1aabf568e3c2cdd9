package io.github.reslice.spring;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;

/** A second later each time it is asked. */
final class TickingClock extends Clock {

    private final AtomicInteger ticks = new AtomicInteger();

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }

    @Override
    public Instant instant() {
        return Instant.parse("2026-01-01T00:00:00Z").plusSeconds(ticks.incrementAndGet());
    }
}
