package io.github.reslice.servers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.servers.RawHttp.Response;
import java.io.IOException;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

/** Holds a server's {@link ServerTraits} against the server, by requests put together by hand. */
abstract class ServerTraitsSuite {

    private static final Pattern LISTED_KEY = Pattern.compile("<Key>([^<]*)</Key>");

    private final byte[] payload = new byte[20_000];
    private final String bucket = "/traits-" + UUID.randomUUID();
    private final String path = bucket + "/object";
    private S3Server server;

    @BeforeEach
    void makeABucket(S3Server given) throws IOException {
        server = given;
        new Random(1).nextBytes(payload);
        assertThat(RawS3.put(server, bucket, new byte[0]).status()).isEqualTo(200);
    }

    @Test
    void storesARightUpload() throws IOException {
        assertStored(new RawUpload(payload).put(server, path));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EXCLUDE,
            names = {"CHUNK_SIGNATURE", "LAST_CHUNK_SIGNATURE", "TRAILER_SIGNATURE"})
    void refusesAFaultThatItChecksAndNoOther(Check check) throws IOException {
        Response response = faulty(check).put(target(check), path);

        if (server.checks(check)) {
            assertRefused(response);
        } else {
            assertThat(response.status()).as(response.toString()).isEqualTo(200);
            assertThat(RawS3.get(server, path).body()).isEqualTo(stored(check));
        }
    }

    @ParameterizedTest
    @EnumSource
    void verifiesATrailersChecksumWhereItKnowsTheAlgorithm(ChecksumAlgorithm algorithm) throws IOException {
        String wrong = "A".repeat(algorithm.encodedLength() - padding(algorithm)) + "=".repeat(padding(algorithm));
        Response response = new RawUpload(payload)
                .encoded(8192, algorithm.headerName() + ":" + wrong)
                .header("x-amz-trailer", algorithm.headerName())
                .header("x-amz-sdk-checksum-algorithm", algorithm.name())
                .put(server, path);

        if (server.takes(algorithm) && !server.verifies(algorithm)) {
            assertStored(response);
        } else {
            assertRefused(response);
            if (server.checks(Check.TRAILER_NAME)) {
                assertThat(response.toString().contains("<Code>BadDigest<"))
                        .as("refused for its value, not for its name: %s", response)
                        .isEqualTo(server.verifies(algorithm));
            }
        }
    }

    @Test
    void returnsTheTrailersChecksumWhereDeclared() throws IOException {
        RawUpload upload = new RawUpload(payload);
        assertStored(upload.put(server, path));

        assertThat(RawS3.get(server, path).headers().get("x-amz-checksum-crc32"))
                .isEqualTo(server.traits().returnsChecksum() ? upload.crc32() : null);
    }

    @Test
    void takesABodyWithoutAnyChecksum() throws IOException {
        assertStored(new RawUpload(payload)
                .encoded(8192)
                .without("x-amz-trailer", "x-amz-sdk-checksum-algorithm")
                .put(server, path));
    }

    @Test
    void takesAChunkedTransferOfDeclaredLength() throws IOException {
        assertStored(new RawUpload(payload).transferChunked().put(server, path));
    }

    @Test
    void takesABodyThatEndsBeforeContentLengthSaysSo() throws IOException {
        assertStored(new RawUpload(payload).header("content-length", "30000").put(server, path));
    }

    @Test
    void decodesBesideGzipWhereDeclared() throws IOException {
        RawUpload upload = new RawUpload(payload).header("content-encoding", "aws-chunked,gzip");
        assertThat(upload.put(server, path).status()).isEqualTo(200);

        Response response = RawS3.get(server, path);
        boolean decodes = server.traits().decodesBesideGzip();
        assertThat(response.headers().get("content-encoding")).isEqualTo(decodes ? "gzip" : "aws-chunked,gzip");
        assertThat(Arrays.equals(response.body(), payload)).isEqualTo(decodes);
    }

    @Test
    void showsNoAwsChunkedAfterwards() throws IOException {
        assertStored(new RawUpload(payload).put(server, path));

        assertThat(RawS3.get(server, path).headers()).doesNotContainKey("content-encoding");
    }

    @ParameterizedTest
    @FieldSource("io.github.reslice.servers.OddKeys#ALL")
    void holdsAnOddKeyWhereDeclared(String key) throws IOException {
        String keyPath = bucket + "/" + OddKeys.path(key);
        Response put = RawS3.put(server, keyPath, payload);

        boolean held = put.status() == 200
                && Arrays.equals(RawS3.get(server, keyPath).body(), payload)
                && keys().equals(List.of(key));
        assertThat(held).as("%s; the keys are %s", put, keys()).isEqualTo(server.holds(key));
        if (put.status() != 200) {
            assertThat(keys()).as(put.toString()).isEmpty();
        }
    }

    private RawUpload faulty(Check check) {
        RawUpload upload = new RawUpload(payload);
        return switch (check) {
            case REQUEST_SIGNATURE -> upload;
            case TRAILER_CHECKSUM_WITHOUT_ALGORITHM ->
                upload.encoded(8192, "x-amz-checksum-crc32:AAAAAA==").without("x-amz-sdk-checksum-algorithm");
            case HEADER_CHECKSUM ->
                upload.encoded(8192)
                        .without("x-amz-trailer", "x-amz-sdk-checksum-algorithm")
                        .header("x-amz-checksum-crc32", "AAAAAA==");
            case HEADER_CHECKSUM_WITH_ALGORITHM ->
                upload.encoded(8192).without("x-amz-trailer").header("x-amz-checksum-crc32", "AAAAAA==");
            case ONE_CHECKSUM -> upload.header("x-amz-checksum-crc32", upload.crc32());
            case ANNOUNCED_TRAILER -> upload.encoded(8192);
            case UNANNOUNCED_TRAILER -> upload.encoded(8192, upload.crc32Trailer(), "x-other:1");
            case TRAILER_NAME ->
                upload.encoded(8192, upload.crc32Trailer(), "x-other:1")
                        .header("x-amz-trailer", "x-amz-checksum-crc32,x-other");
            case MINIMUM_CHUNK_SIZE -> upload.encoded(8191, upload.crc32Trailer());
            case TOO_SHORT -> upload.header("x-amz-decoded-content-length", Integer.toString(payload.length + 1));
            case TOO_LONG -> upload.header("x-amz-decoded-content-length", Integer.toString(payload.length - 1));
            case DECODED_LENGTH -> upload.without("x-amz-decoded-content-length");
            case LAST_CHUNK ->
                upload.encoded(8192)
                        .without("x-amz-trailer", "x-amz-sdk-checksum-algorithm")
                        .cut("0\r\n\r\n".length());
            case FINAL_LINE -> upload.cut("\r\n".length());
            case NOTHING_AFTER -> upload.append("0\r\n\r\n");
            case BROKEN_OFF -> upload.breakOff(100);
            case CHUNK_SIGNATURE, LAST_CHUNK_SIGNATURE, TRAILER_SIGNATURE ->
                throw new IllegalArgumentException(check + " is for a signed body");
        };
    }

    private S3Server target(Check check) {
        return check == Check.REQUEST_SIGNATURE
                ? new S3Server(
                        server.name(), server.endpoint(), server.accessKey(), "wrong", server.region(), server.traits())
                : server;
    }

    /** What is there after a fault that passed: the payload, but that s3proxy cuts it where it is too long. */
    private byte[] stored(Check check) {
        boolean cut = check == Check.TOO_LONG && server.traits().equals(KnownTraits.S3PROXY);
        return cut ? Arrays.copyOf(payload, payload.length - 1) : payload;
    }

    private void assertStored(Response response) throws IOException {
        assertThat(response.status()).as(response.toString()).isEqualTo(200);
        assertThat(RawS3.get(server, path).body()).isEqualTo(payload);
    }

    private void assertRefused(Response response) throws IOException {
        assertThat(response.status()).as(response.toString()).isBetween(400, 499);
        assertThat(RawS3.get(server, path).status()).isEqualTo(404);
    }

    private List<String> keys() throws IOException {
        String list = new String(
                RawS3.get(server, bucket + "?encoding-type=url&list-type=2").body(), UTF_8);
        return LISTED_KEY
                .matcher(list)
                .results()
                .map(key -> URLDecoder.decode(key.group(1), UTF_8))
                .toList();
    }

    private static int padding(ChecksumAlgorithm algorithm) {
        return (3 - algorithm.digestLength() % 3) % 3;
    }
}
