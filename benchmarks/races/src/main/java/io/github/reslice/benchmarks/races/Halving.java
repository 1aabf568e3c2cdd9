package io.github.reslice.benchmarks.races;

import io.github.reslice.stage.Stage;
import java.util.function.Consumer;

/** Cuts each buffer into units, and notices two threads in it, or a call that a stage need not expect. */
final class Halving implements Stage<Buffer, Buffer> {

    private final Ledger ledger;
    private final Room room;
    private Buffer left;
    private boolean discarded;

    Halving(Ledger ledger) {
        this.ledger = ledger;
        room = new Room("the stage", ledger);
    }

    @Override
    public void feed(Buffer buffer) {
        room.enter();
        if (left != null) {
            ledger.broken("fed before it was empty");
        }
        left = buffer;
        room.leave();
    }

    @Override
    public void end() {
        room.enter();
        if (left != null) {
            ledger.broken("ended before it was empty");
        }
        room.leave();
    }

    @Override
    public Buffer poll() {
        room.enter();
        Buffer piece = null;
        Buffer buffer = left;
        if (buffer != null) {
            piece = new Buffer(buffer.first(), 1);
            left = buffer.count() == 1 ? null : new Buffer(buffer.first() + 1, buffer.count() - 1);
        }
        room.leave();
        return piece;
    }

    @Override
    public void discard(Consumer<Object> sink) {
        room.enter();
        if (discarded) {
            ledger.broken("discarded twice");
        }
        discarded = true;
        if (left != null) {
            sink.accept(left);
            left = null;
        }
        room.leave();
    }
}
