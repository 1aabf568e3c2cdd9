package io.github.reslice.servers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;

/**
 * An HTTP/1.1 server that keeps what it was sent, byte for byte, and answers as it was told: the first request with the first
 * answer, and so on, the last answer again and again.
 *
 * <pre>{@code
 * try (RecordingServer server = RecordingServer.answering(Answer.status(503), Answer.status(200))) {
 *     ...
 *     assertThat(server.requests()).hasSize(2);
 *     assertThat(server.requests().get(1).header("content-encoding")).isEqualTo("aws-chunked");
 *     ReferenceDecoder.decode(server.requests().get(1).body());
 * }
 * }</pre>
 *
 * <p>A request is in the list before its answer is sent, also one that broke off or was refused before all of it had come.
 */
public final class RecordingServer implements Closeable {

    private final List<Answer> answers;
    private final ServerSocket listener;
    private final String scheme;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger started = new AtomicInteger();
    private final List<RecordedRequest> requests = new CopyOnWriteArrayList<>();

    private RecordingServer(List<Answer> answers, ServerSocketFactory sockets, String scheme) throws IOException {
        this.answers = answers;
        this.scheme = scheme;
        listener = sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /** A server on a free port of this machine, running. */
    public static RecordingServer answering(Answer first, Answer... more) throws IOException {
        return new RecordingServer(
                Stream.concat(Stream.of(first), Arrays.stream(more)).toList(),
                ServerSocketFactory.getDefault(),
                "http");
    }

    /** The same over HTTPS. */
    public static RecordingServer overTls(TestCertificate certificate, Answer answer)
            throws IOException, GeneralSecurityException {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(certificate.keys().getKeyManagers(), null, null);
        return new RecordingServer(List.of(answer), tls.getServerSocketFactory(), "https");
    }

    /** Where clients reach it. */
    public URI endpoint() {
        return URI.create(scheme + "://127.0.0.1:" + listener.getLocalPort());
    }

    /** What came, in the order in which it was complete or broke off. */
    public List<RecordedRequest> requests() {
        return List.copyOf(requests);
    }

    /** Waits until there are so many, complete or broken off. */
    public void awaitRequests(int count) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (requests.size() < count && System.nanoTime() < deadline) {
            Thread.sleep(5);
        }
        if (requests.size() < count) {
            throw new AssertionError("only " + requests.size() + " requests have come to their end, not " + count);
        }
    }

    /** Ends every connection. */
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
            for (String head = head(in); !head.isEmpty(); head = head(in)) {
                Answer answer = answers.get(Math.min(started.getAndIncrement(), answers.size() - 1));
                if (!exchange(socket, in, head, answer)) {
                    return;
                }
            }
        }
    }

    /** One request and its answer; false when the connection is not to be used again. */
    private boolean exchange(Socket socket, InputStream in, String head, Answer answer) throws IOException {
        RecordedRequest request = new RecordedRequest(head, new byte[0]);
        if ("100-continue".equalsIgnoreCase(request.header("expect")) && answer.bodyBytes() > 0) {
            socket.getOutputStream().write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(ISO_8859_1));
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        boolean complete = false;
        try {
            complete = readBody(in, request, answer.bodyBytes(), body);
        } finally {
            requests.add(new RecordedRequest(head, body.toByteArray()));
        }
        if (answer.resets()) {
            socket.setSoLinger(true, 0);
            return false;
        }
        boolean last = !complete || answer.breaksOff();
        socket.getOutputStream().write(answer.bytes(last));
        if (last) {
            socket.shutdownOutput();
            in.transferTo(OutputStream.nullOutputStream());
        }
        return !last;
    }

    /** Reads the body, as it is on the wire, up to a limit; false if there was more. */
    private static boolean readBody(InputStream in, RecordedRequest request, long limit, ByteArrayOutputStream body)
            throws IOException {
        if ("chunked".equalsIgnoreCase(request.header("transfer-encoding"))) {
            return readChunked(in, limit, body);
        }
        String contentLength = request.header("content-length");
        long length = contentLength == null ? 0 : Long.parseLong(contentLength);
        return copy(in, Math.min(length, limit), body) && length <= limit;
    }

    private static boolean readChunked(InputStream in, long limit, ByteArrayOutputStream body) throws IOException {
        while (true) {
            String header = line(in);
            int size = Integer.parseInt(header.strip(), 16);
            if (size == 0) {
                line(in);
                return true;
            }
            if (!copy(in, Math.min(size, limit - body.size()), body) || body.size() == limit) {
                return false;
            }
            line(in);
        }
    }

    private static boolean copy(InputStream in, long count, ByteArrayOutputStream to) throws IOException {
        byte[] bytes = new byte[8192];
        long left = count;
        while (left > 0) {
            int read = in.read(bytes, 0, (int) Math.min(left, bytes.length));
            if (read < 0) {
                return false;
            }
            to.write(bytes, 0, read);
            left -= read;
        }
        return true;
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            head.append(line);
            if (line.equals("\r\n")) {
                return head.toString();
            }
        }
        return "";
    }

    /** Up to and with LF, or what there is. */
    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        int c;
        while ((c = in.read()) >= 0) {
            line.append((char) c);
            if (c == '\n') {
                break;
            }
        }
        return line.toString();
    }

    private static void start(Body body) {
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (IOException closed) {
                        // by the client, or by close()
                    }
                },
                "recording server");
        thread.setDaemon(true);
        thread.start();
    }

    private interface Body {
        void run() throws IOException;
    }
}
