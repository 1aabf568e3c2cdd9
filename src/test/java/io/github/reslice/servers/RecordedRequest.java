package io.github.reslice.servers;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A request as it was on the wire. */
public final class RecordedRequest {

    private final String head;
    private final byte[] body;

    RecordedRequest(String head, byte[] body) {
        this.head = head;
        this.body = body;
    }

    /** The first line: {@code PUT /bucket/key HTTP/1.1}. */
    public String line() {
        return head.substring(0, head.indexOf("\r\n"));
    }

    /** The request line and the headers, with the empty line that ends them. */
    public String head() {
        return head;
    }

    /** The value of the only header of that name, in any case, or null. */
    public @Nullable String header(String name) {
        List<String> values = headers(name);
        if (values.size() > 1) {
            throw new IllegalStateException(values.size() + " headers " + name + " in " + head);
        }
        return values.isEmpty() ? null : values.get(0);
    }

    /** The values of all headers of that name, in any case. */
    public List<String> headers(String name) {
        String prefix = name.toLowerCase(Locale.ROOT) + ":";
        return Arrays.stream(head.split("\r\n", -1))
                .skip(1)
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
                .map(line -> line.substring(prefix.length()).strip())
                .toList();
    }

    /** The body's bytes, all that came; where HTTP's own chunked transfer carried them, without its framing. */
    public byte[] body() {
        return body.clone();
    }
}
