package io.github.reslice.awschunked;

import java.util.Arrays;

/** The bytes of one input of the fuzzer, taken from the front; behind the end come zeros. */
final class InputBytes {

    private final byte[] bytes;
    private int position;

    InputBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean isEmpty() {
        return position >= bytes.length;
    }

    int next() {
        return isEmpty() ? 0 : bytes[position++] & 0xff;
    }

    int oneOf(int... choices) {
        return choices[next() % choices.length];
    }

    byte[] rest() {
        return isEmpty() ? new byte[0] : Arrays.copyOfRange(bytes, position, bytes.length);
    }
}
