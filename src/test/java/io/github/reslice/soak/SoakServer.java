package io.github.reslice.soak;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * An HTTP/1.1 server that treats each upload as its fate is, and keeps none.
 *
 * <p>It keeps clear of two ways in which {@code java.net.http} fails a PUT that has nothing to do with it, with "header
 * parser received no bytes", since it does not send one again: a connection that its server closes after an answer without
 * {@code Connection: close}, and one whose exchange is cancelled just when its answer comes. Both are kept for the next.
 */
final class SoakServer implements Closeable {

    static final String THREAD = "soak server";

    /** Small, so that a server that reads slowly is felt by its client. */
    private static final int RECEIVE_BUFFER = 64 * 1024;

    private static final int PART = 16 * 1024;

    private final ServerSocket listener = new ServerSocket();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Map<String, Upload> uploads = new ConcurrentHashMap<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    SoakServer() throws IOException {
        listener.setReceiveBufferSize(RECEIVE_BUFFER);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        start(this::accept);
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    void expect(Upload upload) {
        uploads.put(upload.path(), upload);
    }

    /** What has come in and should not have. */
    Queue<Throwable> failures() {
        return failures;
    }

    int connections() {
        return sockets.size();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void accept() throws IOException {
        while (true) {
            Socket socket = listener.accept();
            sockets.add(socket);
            start(() -> serve(socket));
        }
    }

    private void serve(Socket socket) throws IOException {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            boolean open = true;
            while (open) {
                String[] request = line(in).split(" ", -1);
                open = exchange(socket, in, uploads.get(request[1]));
            }
        } finally {
            sockets.remove(socket);
        }
    }

    /** One request and its answer; false when the connection is not to be used again. */
    private boolean exchange(Socket socket, InputStream in, Upload upload) throws IOException {
        Body body = new Body(in, headers(in), upload.isReadSlowly());
        try {
            return treat(socket, in, body, upload);
        } catch (IOException brokenOff) {
            check(upload, () -> upload.assertBrokenOff(body.bytes()));
            throw brokenOff;
        }
    }

    private boolean treat(Socket socket, InputStream in, Body body, Upload upload) throws IOException {
        switch (upload.nextFate()) {
            case RESET -> {
                body.read(upload.place());
                socket.setSoLinger(true, 0);
                return false;
            }
            case REFUSED_EARLY -> {
                body.read(upload.place());
                answer(socket, 503, "Connection: close\r\n");
                end(socket, in);
                return false;
            }
            case REFUSED -> {
                body.read(Integer.MAX_VALUE);
                check(upload, () -> upload.assertWhole(body.bytes()));
                answer(socket, 503, "");
            }
            case ABANDONED -> {
                body.read(upload.place());
                upload.cancel();
                body.read(Integer.MAX_VALUE);
                check(upload, () -> upload.assertWhole(body.bytes()));
                answer(socket, 200, "Connection: close\r\n");
                end(socket, in);
                return false;
            }
            default -> {
                body.read(Integer.MAX_VALUE);
                check(upload, () -> upload.assertWhole(body.bytes()));
                answer(socket, 200, "");
            }
        }
        return true;
    }

    /** Waits for the client's end, since bytes that come in later would reset the connection before the answer is read. */
    private static void end(Socket socket, InputStream in) throws IOException {
        socket.shutdownOutput();
        in.transferTo(OutputStream.nullOutputStream());
    }

    private void check(Upload upload, Runnable assertion) {
        try {
            assertion.run();
        } catch (AssertionError | RuntimeException e) {
            failures.add(new AssertionError("what the server got of " + upload, e));
        }
    }

    private static void answer(Socket socket, int status, String headers) throws IOException {
        String head = "HTTP/1.1 " + status + " As planned\r\n" + headers + "Content-Length: 0\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(ISO_8859_1));
    }

    private static Map<String, String> headers(InputStream in) throws IOException {
        Map<String, String> headers = new HashMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            String[] header = line.split(":", 2);
            headers.put(header[0].toLowerCase(Locale.ROOT), header[1].strip());
        }
        return headers;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException();
            }
            line.append((char) c);
        }
        return line.toString().strip();
    }

    private void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException closed) {
                        // by the client, or by close()
                    } catch (RuntimeException e) {
                        failures.add(e);
                    }
                },
                THREAD);
        thread.setDaemon(true);
        thread.start();
    }

    private interface Work {
        void run() throws IOException;
    }

    /** A request's body, as far as it has been read. */
    private static final class Body {

        private final InputStream in;
        private final boolean chunked;
        private final boolean slowly;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        /** Of the body, or where it comes in chunks of the current one. */
        private int left;

        private boolean ended;

        Body(InputStream in, Map<String, String> headers, boolean slowly) {
            this.in = in;
            this.slowly = slowly;
            chunked = headers.containsKey("transfer-encoding");
            left = chunked ? 0 : Integer.parseInt(headers.getOrDefault("content-length", "0"));
        }

        byte[] bytes() {
            return bytes.toByteArray();
        }

        /** Reads until there are so many bytes, or all. */
        void read(int count) throws IOException {
            while (bytes.size() < count && !ended) {
                if (left > 0) {
                    readPart(Math.min(left, count - bytes.size()));
                } else if (chunked) {
                    nextChunk();
                } else {
                    ended = true;
                }
            }
        }

        private void readPart(int most) throws IOException {
            byte[] part = in.readNBytes(Math.min(PART, most));
            bytes.writeBytes(part);
            left -= part.length;
            if (part.length < Math.min(PART, most)) {
                throw new EOFException();
            }
            if (slowly) {
                pause();
            }
        }

        private void nextChunk() throws IOException {
            if (bytes.size() > 0) {
                line(in);
            }
            left = Integer.parseInt(line(in), 16);
            if (left == 0) {
                line(in);
                ended = true;
            }
        }

        private static void pause() throws IOException {
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }
}
