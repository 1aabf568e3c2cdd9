package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.sigv4.SigV4;
import io.github.reslice.sigv4.SignedHeaders;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * A client that signs with the keys of the S3 API reference's examples, on the day of the examples, and writes its bodies
 * plainly from the format's description.
 *
 * <pre>{@code
 * SignedHeaders seed = Client.seed(Mode.SIGNED_WITH_TRAILER, payload.length, "x-amz-checksum-crc32");
 * byte[] wire = Client.signedBody(seed, payload, 8192, "x-amz-checksum-crc32:DUoRhQ==");
 * }</pre>
 */
public final class Client {

    private static final String SECRET_KEY = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    private static final URI OBJECT = URI.create("https://s3.amazonaws.com/examplebucket/chunkObject.txt");
    private static final AwsCredentials CREDENTIALS = AwsCredentials.of("AKIAIOSFODNN7EXAMPLE", SECRET_KEY);
    private static final SigV4 SIGV4 = SigV4.builder()
            .region("us-east-1")
            .clock(Clock.fixed(Instant.parse("2013-05-24T00:00:00Z"), ZoneOffset.UTC))
            .build();

    private Client() {}

    /** A signed request for such a body. */
    public static SignedHeaders seed(Mode mode, long length, String... trailers) {
        Map<String, String> headers = new HashMap<>();
        headers.put("Content-Encoding", "aws-chunked");
        headers.put("x-amz-content-sha256", mode.headerValue());
        headers.put("x-amz-decoded-content-length", Long.toString(length));
        if (trailers.length > 0) {
            headers.put("x-amz-trailer", String.join(",", trailers));
        }
        return sign(headers);
    }

    /** A signed request with these headers. */
    public static SignedHeaders sign(Map<String, String> headers) {
        return SIGV4.sign("PUT", OBJECT, headers, CREDENTIALS);
    }

    static PlainChunkSigner signer(SignedHeaders seed) {
        return new PlainChunkSigner(SECRET_KEY, seed);
    }

    /** The payload in chunks of that size, then these trailers, each {@code name:value}. */
    public static byte[] body(byte[] payload, int chunkSize, String... trailers) {
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

    /** The same, with every chunk signed; and the trailers too if the request's mode says so. */
    public static byte[] signedBody(SignedHeaders seed, byte[] payload, int chunkSize, String... trailers) {
        PlainChunkSigner signer = signer(seed);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int from = 0; from < payload.length; from += chunkSize) {
            byte[] data = Arrays.copyOfRange(payload, from, Math.min(from + chunkSize, payload.length));
            line(body, Integer.toHexString(data.length) + ";chunk-signature=" + signer.chunk(data));
            body.writeBytes(data);
            line(body, "");
        }
        line(body, "0;chunk-signature=" + signer.chunk(new byte[0]));
        TreeMap<String, String> sorted = new TreeMap<>();
        for (String trailer : trailers) {
            line(body, trailer);
            String[] parts = trailer.split(":", 2);
            sorted.put(parts[0], parts[1]);
        }
        if (seed.headers().get("x-amz-content-sha256").endsWith("-TRAILER")) {
            StringBuilder lines = new StringBuilder();
            sorted.forEach((name, value) ->
                    lines.append(name).append(':').append(value).append('\n'));
            line(body, "x-amz-trailer-signature:" + signer.trailer(lines.toString()));
        }
        line(body, "");
        return body.toByteArray();
    }

    private static void line(ByteArrayOutputStream body, String line) {
        body.writeBytes((line + "\r\n").getBytes(US_ASCII));
    }
}
