package io.github.reslice.benchmarks.races;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;

/** Where every unit has gone, and the first rule that was broken. */
final class Ledger {

    private final AtomicIntegerArray given;
    private final AtomicIntegerArray discarded;
    private final AtomicReference<String> fault = new AtomicReference<>();

    Ledger(int units) {
        given = new AtomicIntegerArray(units);
        discarded = new AtomicIntegerArray(units);
    }

    void given(Buffer piece) {
        count(given, piece);
    }

    /** What a discard hook is given. */
    void discarded(Object held) {
        if (held instanceof Buffer buffer) {
            count(discarded, buffer);
        } else {
            broken("discarded " + held);
        }
    }

    private static void count(AtomicIntegerArray counts, Buffer buffer) {
        for (int unit = buffer.first(); unit < buffer.first() + buffer.count(); unit++) {
            counts.incrementAndGet(unit);
        }
    }

    void broken(String rule) {
        fault.compareAndSet(null, rule);
    }

    /** The first rule that was broken, when so many units have been given to the operator and it has ended; or null. */
    String fault(int units) {
        for (int unit = 0; unit < given.length(); unit++) {
            String found = fault(unit, unit < units ? 1 : 0);
            if (found != null) {
                broken(found);
            }
        }
        return fault.get();
    }

    private String fault(int unit, int expected) {
        int toReceiver = given.get(unit);
        int toHook = discarded.get(unit);
        return toReceiver + toHook == expected
                ? null
                : "unit " + unit + " given " + toReceiver + " times and discarded " + toHook + " times";
    }
}
