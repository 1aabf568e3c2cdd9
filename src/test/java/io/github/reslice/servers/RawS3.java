package io.github.reslice.servers;

import io.github.reslice.servers.RawHttp.Response;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;

/** Signed requests to a server, without any S3 client between. Paths are sent as they stand. */
final class RawS3 {

    private static final byte[] NOTHING = {};

    private RawS3() {}

    static Response put(S3Server server, String path, byte[] body) throws IOException {
        Map<String, String> headers = new TreeMap<>();
        headers.put("x-amz-content-sha256", ReferenceSigner.sha256(body));
        headers.put("content-length", Integer.toString(body.length));
        return send(server, "PUT", path, headers, body);
    }

    /** Asks for the checksum too. */
    static Response get(S3Server server, String path) throws IOException {
        Map<String, String> headers = new TreeMap<>();
        headers.put("x-amz-content-sha256", ReferenceSigner.sha256(NOTHING));
        headers.put("x-amz-checksum-mode", "ENABLED");
        return send(server, "GET", path, headers, NOTHING);
    }

    /** Signs and sends. */
    static Response send(S3Server server, String method, String path, Map<String, String> headers, byte[] body)
            throws IOException {
        URI uri = URI.create(server.endpoint() + path);
        return RawHttp.send(method, uri, ReferenceSigner.sign(method, uri, headers, server), body);
    }
}
