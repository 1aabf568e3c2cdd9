package io.github.reslice.benchmarks;

/**
 * Two contenders and the body that both are given.
 *
 * @param straddling whether chunks end within buffers
 * @param distinct bytes in buffers that differ
 * @param uploads how many at once, of such a body each
 */
record Pair(
        Contender contender,
        Contender beside,
        Demand demand,
        Memory memory,
        long length,
        int bufferSize,
        int chunkSize,
        boolean straddling,
        int distinct,
        int uploads) {

    /** On one body of 64 MiB in buffers of 16 KiB, in chunks of 128 KiB, asked for all at once. */
    static Pair of(Contender contender, Contender beside, Memory memory) {
        return new Pair(
                contender,
                beside,
                Demand.ALL_AT_ONCE,
                memory,
                Body.DISTINCT,
                16 * 1024,
                128 * 1024,
                false,
                Body.DISTINCT,
                1);
    }

    Pair asking(Demand other) {
        return new Pair(contender, beside, other, memory, length, bufferSize, chunkSize, straddling, distinct, uploads);
    }

    Pair length(long other) {
        return new Pair(contender, beside, demand, memory, other, bufferSize, chunkSize, straddling, distinct, uploads);
    }

    Pair bufferSize(int other) {
        return new Pair(contender, beside, demand, memory, length, other, chunkSize, straddling, distinct, uploads);
    }

    Pair chunkSize(int other) {
        return new Pair(contender, beside, demand, memory, length, bufferSize, other, straddling, distinct, uploads);
    }

    Pair straddling(boolean other) {
        return new Pair(contender, beside, demand, memory, length, bufferSize, chunkSize, other, distinct, uploads);
    }

    /** The same 16 buffers come round again and again, so that no wait for memory hides the work itself. */
    Pair inTheCache() {
        return new Pair(
                contender, beside, demand, memory, length, bufferSize, chunkSize, straddling, 16 * bufferSize, uploads);
    }

    Pair uploads(int other) {
        return new Pair(contender, beside, demand, memory, length, bufferSize, chunkSize, straddling, distinct, other);
    }

    long chunks() {
        return (length + chunkSize - 1) / chunkSize;
    }

    long buffers() {
        return length / bufferSize;
    }
}
