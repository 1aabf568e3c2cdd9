package io.github.reslice.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** What a {@link RecordingServer} does with one request. */
public final class Answer {

    private final int status;
    private final String headers;
    private final byte[] body;
    private final long bodyBytes;
    private final boolean resets;
    private final int missing;

    private Answer(int status, String headers, byte[] body, long bodyBytes, boolean resets) {
        this(status, headers, body, bodyBytes, resets, 0);
    }

    private Answer(int status, String headers, byte[] body, long bodyBytes, boolean resets, int missing) {
        this.status = status;
        this.headers = headers;
        this.body = body;
        this.bodyBytes = bodyBytes;
        this.resets = resets;
        this.missing = missing;
    }

    /** This status, after the whole request has come. */
    public static Answer status(int status) {
        return new Answer(status, "", new byte[0], Long.MAX_VALUE, false);
    }

    /** A reset of the connection after this many bytes of the body. */
    public static Answer resetAfter(long bodyBytes) {
        return new Answer(0, "", new byte[0], bodyBytes, true);
    }

    /** The same with a body. */
    public Answer body(String contentType, String text) {
        return body(contentType, text.getBytes(UTF_8));
    }

    /** The same with a body that is not text. */
    public Answer body(String contentType, byte[] bytes) {
        return new Answer(status, headers + "Content-Type: " + contentType + "\r\n", bytes, bodyBytes, resets);
    }

    /** The same with one more header. */
    public Answer header(String name, String value) {
        return new Answer(status, headers + name + ": " + value + "\r\n", body, bodyBytes, resets);
    }

    /** The same, but given after this many bytes of the body, while the rest is on its way. */
    public Answer after(long bytes) {
        return new Answer(status, headers, body, bytes, resets);
    }

    /** The same, but announcing so many more bytes than come before the connection is closed. Not to be changed further. */
    public Answer missing(int bytes) {
        return new Answer(status, headers, body, bodyBytes, resets, bytes);
    }

    boolean breaksOff() {
        return missing > 0;
    }

    long bodyBytes() {
        return bodyBytes;
    }

    boolean resets() {
        return resets;
    }

    byte[] bytes(boolean last) {
        String head = "HTTP/1.1 " + status + " As told\r\n" + headers + "Content-Length: " + (body.length + missing)
                + "\r\n" + (last ? "Connection: close\r\n" : "") + "\r\n";
        byte[] bytes = Arrays.copyOf(head.getBytes(UTF_8), head.length() + body.length);
        System.arraycopy(body, 0, bytes, head.length(), body.length);
        return bytes;
    }
}
