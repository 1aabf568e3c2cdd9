package io.github.reslice.servers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** What a {@link TamperingProxy} does to the bytes that a client sends, or gets. */
public interface Fault {

    /** None: the bytes pass as they are. */
    Fault NONE = done -> OutputStream::write;

    /** A filter for one new connection, which runs this when it does the fault. */
    Filter filter(Runnable done);

    /** Changes one byte of the first body that passes: the byte at this place, the first being 0. */
    static Fault changeBodyByte(long place) {
        return changeByteAfter("\r\n\r\n", place);
    }

    /** Changes one byte: the one this far behind the first occurrence of the text. */
    static Fault changeByteAfter(String text, long place) {
        return done -> new ByteChange(text.getBytes(ISO_8859_1), place, done);
    }

    /** Resets both connections when this many bytes have passed, the head's bytes included. */
    static Fault cutAfter(long count) {
        return done -> new Filter() {
            private long left = count;

            @Override
            public void pass(OutputStream out, byte[] bytes, int from, int length) throws IOException {
                int passed = (int) Math.min(left, length);
                out.write(bytes, from, passed);
                left -= passed;
                if (left == 0) {
                    done.run();
                    throw new Cut();
                }
            }
        };
    }

    /** Does the fault to the first connection alone, as one that a retry gets over. */
    static Fault once(Fault fault) {
        AtomicBoolean first = new AtomicBoolean(true);
        return done -> (first.getAndSet(false) ? fault : NONE).filter(done);
    }

    /** Waits this long before each piece of at most 8 KiB is passed on. */
    static Fault delay(Duration pause) {
        return done -> (out, bytes, from, length) -> {
            try {
                Thread.sleep(pause.toMillis());
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            done.run();
            out.write(bytes, from, length);
        };
    }

    /** Sees what one side sends, piece by piece, and writes what the other is to get. */
    interface Filter {
        /** Passes on a piece. */
        void pass(OutputStream out, byte[] bytes, int from, int length) throws IOException;
    }

    /** Both connections are to be reset. */
    final class Cut extends IOException {
        private static final long serialVersionUID = 1L;
    }
}
