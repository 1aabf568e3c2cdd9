package io.github.reslice.samples.awssdk;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.zip.CRC32C;

/** Takes every PUT, throws its body away, and answers with an ETag that is the body's length and checksum, as it came. */
final class DiscardingStore {

    private DiscardingStore() {}

    public static void main(String... args) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", DiscardingStore::discard);
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private static void discard(HttpExchange exchange) throws IOException {
        CRC32C checksum = new CRC32C();
        long length = 0;
        byte[] bytes = new byte[128 * 1024];
        InputStream body = exchange.getRequestBody();
        for (int read = body.read(bytes); read >= 0; read = body.read(bytes)) {
            checksum.update(bytes, 0, read);
            length += read;
        }
        exchange.getResponseHeaders().set("ETag", "\"%d-%08x\"".formatted(length, checksum.getValue()));
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }
}
