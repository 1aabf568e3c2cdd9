package io.github.reslice.awschunked;

/** Holds a payload to the length that was declared for it. */
final class DeclaredLength {

    private final long declared;
    private long received;

    DeclaredLength(long declared) {
        this.declared = Layout.requireLength(declared);
    }

    /** Counts what has come in, unless it goes beyond. */
    void add(int size) {
        if (size > declared - received) {
            throw DecodedLengthException.tooLong(declared, received + size);
        }
        received += size;
    }

    void end() {
        if (received < declared) {
            throw DecodedLengthException.tooShort(declared, received);
        }
    }
}
