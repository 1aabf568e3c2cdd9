package io.github.reslice.servers;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Finds a text in what passes, and changes one byte at a distance behind it, to the digit 0 or else 1. */
final class ByteChange implements Fault.Filter {

    private final byte[] text;
    private final byte[] lastSeen;
    private final Runnable done;
    private boolean found;
    private long left;

    ByteChange(byte[] text, long place, Runnable done) {
        this.text = text;
        this.lastSeen = new byte[text.length];
        this.left = place;
        this.done = done;
    }

    @Override
    public void pass(OutputStream out, byte[] bytes, int from, int length) throws IOException {
        for (int i = from; i < from + length && left >= 0; i++) {
            if (!found) {
                System.arraycopy(lastSeen, 1, lastSeen, 0, lastSeen.length - 1);
                lastSeen[lastSeen.length - 1] = bytes[i];
                found = Arrays.equals(lastSeen, text);
            } else if (left-- == 0) {
                bytes[i] = (byte) (bytes[i] == '0' ? '1' : '0');
                done.run();
            }
        }
        out.write(bytes, from, length);
    }
}
