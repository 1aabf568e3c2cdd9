package io.github.reslice.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** Keeps account of letters: each that was sent must be given or discarded, once. Letters of framing do not count. */
final class Ledger {

    private static final char FIRST = '\u0100';

    private final AtomicIntegerArray sent;
    private final AtomicIntegerArray given;
    private final AtomicIntegerArray discarded;

    Ledger(int letters) {
        sent = new AtomicIntegerArray(letters);
        given = new AtomicIntegerArray(letters);
        discarded = new AtomicIntegerArray(letters);
    }

    /** A text of letters that no other one has. */
    static String text(int from, int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append((char) (FIRST + from + i));
        }
        return text.toString();
    }

    void sent(String text) {
        count(sent, text);
    }

    void given(String text) {
        count(given, text);
    }

    void discarded(Object text) {
        count(discarded, (String) text);
    }

    boolean isSettled() {
        for (int i = 0; i < sent.length(); i++) {
            if (sent.get(i) != given.get(i) + discarded.get(i)) {
                return false;
            }
        }
        return true;
    }

    void assertSettled(String description) {
        for (int i = 0; i < sent.length(); i++) {
            assertThat(given.get(i) + discarded.get(i))
                    .as(
                            "%s: letter %d was given %d times, discarded %d times",
                            description, i, given.get(i), discarded.get(i))
                    .isEqualTo(sent.get(i));
        }
    }

    void assertAllGiven(String description) {
        for (int i = 0; i < given.length(); i++) {
            assertThat(given.get(i)).as("%s: letter %d given", description, i).isOne();
        }
    }

    private static void count(AtomicIntegerArray counts, String text) {
        for (int i = 0; i < text.length(); i++) {
            int letter = text.charAt(i) - FIRST;
            if (letter >= 0) {
                counts.incrementAndGet(letter);
            }
        }
    }
}
