package io.github.reslice.benchmarks.races;

import io.github.reslice.stage.Stage;

/** A source, the operator over {@link Halving} and a receiver: subscribed, and nothing asked for. */
final class Pipeline {

    private static final int MOST_BUFFERS = 4;

    final Source source;
    final Receiver receiver;
    private final Ledger ledger = new Ledger(MOST_BUFFERS * Buffer.UNITS);

    private Pipeline(int length) {
        source = new Source(ledger, length);
        receiver = new Receiver(ledger);
        source.transform(Stage.operator(() -> new Halving(ledger))).subscribe(receiver);
    }

    /** Over a source that answers by itself, and has so many buffers. */
    static Pipeline answered(int buffers) {
        return new Pipeline(buffers);
    }

    /** Over a source that a test drives. */
    static Pipeline driven() {
        return new Pipeline(0);
    }

    /** What the receiver got, then the first rule that was broken, when all that belongs to the stream is over. */
    String outcome() {
        String fault = ledger.fault(source.units());
        return receiver + (fault == null ? "" : ": " + fault);
    }

    /** The same for a cancelled stream, into which a last buffer comes late, and a last request. */
    String outcomeOfCancelled() {
        receiver.request(Buffer.UNITS);
        if (!source.isCancelled()) {
            ledger.broken("the source is not cancelled");
        }
        source.emit();
        return outcome();
    }

    /** The same, and how many errors were dropped. */
    String outcomeWithErrors() {
        return outcome() + ", " + receiver.errorsDropped() + " errors dropped";
    }
}
