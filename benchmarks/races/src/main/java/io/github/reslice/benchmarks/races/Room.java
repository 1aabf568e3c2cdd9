package io.github.reslice.benchmarks.races;

import java.util.concurrent.atomic.AtomicBoolean;

/** Where two threads must not be at once. */
final class Room {

    private final AtomicBoolean taken = new AtomicBoolean();
    private final String name;
    private final Ledger ledger;

    Room(String name, Ledger ledger) {
        this.name = name;
        this.ledger = ledger;
    }

    void enter() {
        if (!taken.compareAndSet(false, true)) {
            ledger.broken("two threads in " + name);
        }
    }

    void leave() {
        taken.set(false);
    }
}
