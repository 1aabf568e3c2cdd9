package io.github.reslice.servers;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Passes bytes between a client and a server, and does one {@link Fault} to what the client sends, or to what the server
 * answers, on each connection anew. It knows nothing of HTTP.
 *
 * <pre>{@code
 * try (TamperingProxy proxy = TamperingProxy.before(server.endpoint(), Fault.changeBodyByte(100))) {
 *     upload(server.through(proxy.endpoint()));
 *     assertThat(proxy.faults()).isOne();
 * }
 * }</pre>
 */
public final class TamperingProxy implements Closeable {

    private final URI target;
    private final Fault onRequests;
    private final Fault onAnswers;
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger faults = new AtomicInteger();

    private TamperingProxy(URI target, Fault onRequests, Fault onAnswers) throws IOException {
        this.target = target;
        this.onRequests = onRequests;
        this.onAnswers = onAnswers;
    }

    /** A proxy on a free port of this machine, running, that does the fault to what goes to the server. */
    public static TamperingProxy before(URI target, Fault fault) throws IOException {
        return started(new TamperingProxy(target, fault, Fault.NONE));
    }

    /** A proxy on a free port of this machine, running, that does the fault to what comes back from the server. */
    public static TamperingProxy behind(URI target, Fault fault) throws IOException {
        return started(new TamperingProxy(target, Fault.NONE, fault));
    }

    private static TamperingProxy started(TamperingProxy proxy) {
        start("accept", proxy::accept);
        return proxy;
    }

    /** Where clients reach it. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    /** How often the fault was done: a test that expects a refusal sees here that there was something to refuse. */
    public int faults() {
        return faults.get();
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
            Socket client = opened(listener.accept());
            Socket server = opened(new Socket(target.getHost(), target.getPort()));
            start("to server", () -> pass(client, server, onRequests.filter(faults::incrementAndGet)));
            start("to client", () -> pass(server, client, onAnswers.filter(faults::incrementAndGet)));
        }
    }

    private Socket opened(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        if (listener.isClosed()) {
            socket.close();
        }
        return socket;
    }

    private void pass(Socket from, Socket to, Fault.Filter filter) throws IOException {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[8192];
            int read;
            while ((read = in.read(bytes)) >= 0) {
                filter.pass(out, bytes, 0, read);
            }
            to.shutdownOutput();
        } catch (Fault.Cut cut) {
            reset(from);
            reset(to);
        } catch (IOException broken) {
            from.close();
            to.close();
        }
    }

    private static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    private static void start(String name, Body body) {
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (IOException closed) {
                        // by one of the ends, or by close()
                    }
                },
                "tampering proxy, " + name);
        thread.setDaemon(true);
        thread.start();
    }

    private interface Body {
        void run() throws IOException;
    }
}
