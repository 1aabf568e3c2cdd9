package io.github.reslice.servers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;

/** One HTTP request over one socket, sent exactly as given. */
final class RawHttp {

    private static final int TIMEOUT_MILLIS = 30_000;

    private RawHttp() {}

    /** Sends the head that results from these and then the body's bytes, whatever the headers promise. */
    static Response send(String method, URI uri, Map<String, String> headers, byte[] body) throws IOException {
        StringBuilder head = new StringBuilder();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        head.append(method).append(' ').append(uri.getRawPath()).append(query).append(" HTTP/1.1\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        head.append("Connection: close\r\n\r\n");
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            try {
                socket.getOutputStream().write(head.toString().getBytes(ISO_8859_1));
                socket.getOutputStream().write(body);
                socket.shutdownOutput();
            } catch (IOException refusedWhileSending) {
                // the answer may be there all the same
            }
            return response(socket.getInputStream().readAllBytes());
        }
    }

    private static Response response(byte[] bytes) throws IOException {
        String text = new String(bytes, ISO_8859_1);
        int headEnd = text.indexOf("\r\n\r\n");
        if (headEnd < 0) {
            throw new IOException("no answer but " + bytes.length + " bytes: " + text);
        }
        String[] lines = text.substring(0, headEnd).split("\r\n", -1);
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            headers.put(
                    lines[i].substring(0, colon), lines[i].substring(colon + 1).strip());
        }
        InputStream body = new ByteArrayInputStream(bytes, headEnd + 4, bytes.length - headEnd - 4);
        boolean chunked = "chunked".equalsIgnoreCase(headers.get("transfer-encoding"));
        return new Response(
                Integer.parseInt(lines[0].split(" ", 3)[1]), headers, chunked ? dechunk(body) : body.readAllBytes());
    }

    private static byte[] dechunk(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int size;
        while ((size = Integer.parseInt(line(in), 16)) > 0) {
            out.write(in.readNBytes(size));
            line(in);
        }
        return out.toByteArray();
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        int c;
        while ((c = in.read()) >= 0 && c != '\n') {
            line.append((char) c);
        }
        return line.toString().strip();
    }

    /** What came back. */
    static final class Response {
        private final int status;
        private final Map<String, String> headers;
        private final byte[] body;

        Response(int status, Map<String, String> headers, byte[] body) {
            this.status = status;
            this.headers = headers;
            this.body = body;
        }

        int status() {
            return status;
        }

        /** Names without regard to case. */
        Map<String, String> headers() {
            return headers;
        }

        byte[] body() {
            return body.clone();
        }

        /** Status and body, as text for messages: {@code 400 <Error>...}. */
        @Override
        public String toString() {
            return status + " " + new String(body, ISO_8859_1).replaceAll("\\s+", " ");
        }
    }
}
