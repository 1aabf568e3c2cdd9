package io.github.reslice.servers;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;

/** Writes an {@code aws-chunked} body, right or wrong, as told. */
final class ReferenceEncoder {

    private ReferenceEncoder() {}

    /** The payload in unsigned chunks of that size, then these lines, each without its line end. */
    static byte[] encode(byte[] payload, int chunkSize, String... trailers) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int from = 0; from < payload.length; from += chunkSize) {
            int size = Math.min(chunkSize, payload.length - from);
            line(body, Integer.toHexString(size));
            body.write(payload, from, size);
            line(body, "");
        }
        line(body, "0");
        for (String trailer : trailers) {
            line(body, trailer);
        }
        line(body, "");
        return body.toByteArray();
    }

    private static void line(ByteArrayOutputStream body, String line) {
        body.writeBytes((line + "\r\n").getBytes(US_ASCII));
    }
}
