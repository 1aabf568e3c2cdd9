package io.github.reslice.servers;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.reslice.servers.RawHttp.Response;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;

/** An upload as {@code aws-chunked}, put together by hand. It is right until it is told otherwise. */
final class RawUpload {

    private static final String CRC32_NAME = "x-amz-checksum-crc32";

    private final byte[] payload;
    private final Map<String, String> headers = new TreeMap<>();
    private byte[] body;

    /** Chunks of 8192 bytes, and the CRC32 in the trailer. */
    RawUpload(byte[] payload) {
        this.payload = payload;
        this.body = ReferenceEncoder.encode(payload, 8192, crc32Trailer());
        headers.put("x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER");
        headers.put("x-amz-decoded-content-length", Integer.toString(payload.length));
        headers.put("x-amz-trailer", CRC32_NAME);
        headers.put("x-amz-sdk-checksum-algorithm", "CRC32");
        headers.put("content-encoding", "aws-chunked");
    }

    String crc32() {
        CRC32 crc = new CRC32();
        crc.update(payload);
        int value = (int) crc.getValue();
        return Base64.getEncoder()
                .encodeToString(
                        new byte[] {(byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value});
    }

    String crc32Trailer() {
        return CRC32_NAME + ":" + crc32();
    }

    RawUpload header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    RawUpload without(String... names) {
        Arrays.asList(names).forEach(headers::remove);
        return this;
    }

    RawUpload encoded(int chunkSize, String... trailers) {
        body = ReferenceEncoder.encode(payload, chunkSize, trailers);
        return this;
    }

    /** Without the body's last bytes, and no header says that they were there. */
    RawUpload cut(int bytes) {
        body = Arrays.copyOf(body, body.length - bytes);
        return this;
    }

    /** Without the body's last bytes, although Content-Length counts them. */
    RawUpload breakOff(int bytes) {
        return header("content-length", Integer.toString(body.length)).cut(bytes);
    }

    RawUpload append(String text) {
        byte[] more = text.getBytes(US_ASCII);
        int length = body.length;
        body = Arrays.copyOf(body, length + more.length);
        System.arraycopy(more, 0, body, length, more.length);
        return this;
    }

    /** In HTTP's own chunked transfer, which does not say how long the body is. */
    RawUpload transferChunked() {
        byte[] encoded = body;
        body = Integer.toHexString(encoded.length).getBytes(US_ASCII);
        append("\r\n");
        int headerLength = body.length;
        body = Arrays.copyOf(body, headerLength + encoded.length);
        System.arraycopy(encoded, 0, body, headerLength, encoded.length);
        append("\r\n0\r\n\r\n");
        return header("transfer-encoding", "chunked");
    }

    Response put(S3Server server, String path) throws IOException {
        if (!headers.containsKey("transfer-encoding")) {
            headers.putIfAbsent("content-length", Integer.toString(body.length));
        }
        return RawS3.send(server, "PUT", path, headers, body);
    }
}
