package io.github.reslice.spring;

import io.github.reslice.awschunked.Client;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.sigv4.SigV4;
import io.github.reslice.sigv4.SignedHeaders;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** An upload by java.net.http that is signed as it is, and can be changed afterwards as an attacker would. */
final class SignedUpload {

    static final int CHUNK = 8192;

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final String method;
    private final URI uri;
    private final Map<String, String> headers;
    private final SignedHeaders seed;
    private byte[] body;

    private SignedUpload(String method, URI uri, Map<String, String> toSign, AwsCredentials credentials, byte[] body) {
        this.method = method;
        seed = SigV4.builder().region(UploadEndpoint.REGION).build().sign(method, uri, toSign, credentials);
        this.uri = seed.uri();
        headers = new TreeMap<>(seed.headers());
        this.body = body;
    }

    /** A body as it is, under these headers. */
    static SignedUpload plain(String method, URI uri, byte[] body, Map<String, String> toSign) {
        return new SignedUpload(method, uri, toSign, UploadEndpoint.CREDENTIALS, body);
    }

    /** One without signatures, and the payload's CRC32 as its trailer. */
    static SignedUpload unsigned(String method, URI uri, byte[] payload, Map<String, String> more) {
        return unsigned(method, uri, payload, more, UploadEndpoint.CREDENTIALS);
    }

    static SignedUpload unsigned(
            String method, URI uri, byte[] payload, Map<String, String> more, AwsCredentials credentials) {
        return new SignedUpload(
                method,
                uri,
                streaming("STREAMING-UNSIGNED-PAYLOAD-TRAILER", payload, more),
                credentials,
                Client.body(payload, CHUNK, "x-amz-checksum-crc32:" + crc32(payload)));
    }

    /** One whose chunks and trailer are signed. */
    static SignedUpload signed(String method, URI uri, byte[] payload, Map<String, String> more) {
        SignedUpload upload = new SignedUpload(
                method,
                uri,
                streaming("STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER", payload, more),
                UploadEndpoint.CREDENTIALS,
                new byte[0]);
        upload.body = Client.signedBody(upload.seed, payload, CHUNK, "x-amz-checksum-crc32:" + crc32(payload));
        return upload;
    }

    private static Map<String, String> streaming(String mode, byte[] payload, Map<String, String> more) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("x-amz-content-sha256", mode);
        headers.put("x-amz-decoded-content-length", "" + payload.length);
        headers.put("x-amz-trailer", "x-amz-checksum-crc32");
        headers.put("Content-Encoding", "aws-chunked");
        headers.putAll(more);
        headers.values().removeIf(String::isEmpty);
        return headers;
    }

    static String crc32(byte[] payload) {
        return checksum(ChecksumAlgorithm.CRC32, payload);
    }

    static String checksum(ChecksumAlgorithm algorithm, byte[] payload) {
        RunningChecksum checksum = algorithm.start();
        checksum.update(payload, 0, payload.length);
        return checksum.base64();
    }

    /** The body that will go out. */
    byte[] body() {
        return body;
    }

    SignedUpload with(String name, String value) {
        headers.put(name, value);
        return this;
    }

    SignedUpload without(String name) {
        headers.remove(name);
        return this;
    }

    SignedUpload withBody(byte[] other) {
        body = other;
        return this;
    }

    HttpResponse<String> send() throws IOException, InterruptedException {
        return send(uri);
    }

    HttpResponse<String> send(URI elsewhere) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(elsewhere).method(method, BodyPublishers.ofByteArray(body));
        headers.forEach(request::setHeader);
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }
}
