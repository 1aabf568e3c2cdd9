package io.github.reslice.servers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.AwsChunked;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.spring.S3ExchangeFilter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.function.client.WebClient;

/** What goes up through the filter is what is stored, and what comes down through it. */
abstract class UploadSuite extends FilterSuite {

    private static final List<Connector> CONNECTORS = List.of(Connector.values());
    private static final List<BodyKind> KINDS = List.of(BodyKind.values());
    private static final List<Size> SIZES = List.of(Size.values());
    private static final List<Integer> CHUNK_SIZES = List.of(8 * 1024, 64 * 1024, 1024 * 1024);

    private static final List<String> CHECKSUMS = Stream.concat(
                    Stream.of("none", "given"),
                    Arrays.stream(ChecksumAlgorithm.values()).map(Enum::name))
            .toList();

    /**
     * One upload.
     *
     * @param checksum what the trailer carries: none, a value given beforehand, or the algorithm's
     */
    record Upload(Connector connector, BodyKind kind, int chunkSize, String checksum, Size size) {

        byte[] payload() {
            return randomBytes(size.of(chunkSize));
        }

        AwsChunked chunked() {
            AwsChunked.Builder settings = AwsChunked.builder().chunkSize(chunkSize);
            return switch (checksum) {
                case "none" -> settings.noChecksum().build();
                case "given" ->
                    settings.checksum(ChecksumAlgorithm.CRC32, new RawUpload(payload()).crc32())
                            .build();
                default ->
                    settings.checksum(ChecksumAlgorithm.valueOf(checksum)).build();
            };
        }

        boolean isTakenBy(S3Server server) {
            return checksum.equals("none")
                    || checksum.equals("given")
                    || server.takes(ChecksumAlgorithm.valueOf(checksum));
        }
    }

    enum Size {
        NOTHING(0, 0),
        ONE_BYTE(0, 1),
        CHUNK_LESS_ONE(1, -1),
        CHUNK(1, 0),
        CHUNK_AND_ONE(1, 1),
        MANY_CHUNKS(5, 3);

        private final int chunks;
        private final int bytes;

        Size(int chunks, int bytes) {
            this.chunks = chunks;
            this.bytes = bytes;
        }

        int of(int chunkSize) {
            return chunks * chunkSize + bytes;
        }
    }

    /** Every checksum with every size; the other values turn, so that every two values of different parameters meet. */
    static Stream<Upload> uploads() {
        return IntStream.range(0, CHECKSUMS.size() * SIZES.size()).mapToObj(i -> {
            int checksum = i / SIZES.size();
            int size = i % SIZES.size();
            return new Upload(
                    turning(CONNECTORS, checksum / 2 + size),
                    turning(KINDS, checksum + size),
                    turning(CHUNK_SIZES, checksum + size),
                    CHECKSUMS.get(checksum),
                    SIZES.get(size));
        });
    }

    private static <T> T turning(List<T> values, int n) {
        return values.get(n % values.size());
    }

    @ParameterizedTest
    @MethodSource("uploads")
    void storesWhatIsSentWhereTheChecksumIsTaken(Upload upload) throws IOException {
        WebClient client = client(upload.connector(), upload.chunked());
        if (!upload.isTakenBy(server())) {
            assertRefusedEarly(upload.kind().give(put(client), upload.payload()));
            assertNothingStored();
            return;
        }
        byte[] payload = upload.payload();
        send(upload.kind().give(put(client), payload));

        ResponseEntity<byte[]> read = read(upload.connector());
        assertThat(bytes(read)).isEqualTo(payload);
        assertThat(read.getHeaders().headerNames()).doesNotContain(HttpHeaders.CONTENT_ENCODING);
    }

    @ParameterizedTest
    @EnumSource
    void storesJson(Connector connector) throws IOException {
        send(put(client(connector)).contentType(MediaType.APPLICATION_JSON).bodyValue(Map.of("key", "value")));

        assertStored("{\"key\":\"value\"}".getBytes(UTF_8));
        assertThat(read(connector).getHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_JSON);
    }

    @ParameterizedTest
    @EnumSource
    void storesNothingAtAllAsAnEmptyObject(Connector connector) throws IOException {
        send(put(client(connector)));

        assertStored(new byte[0]);
    }

    @ParameterizedTest
    @EnumSource
    void keepsACallersContentEncodingWhereItIsDecodedBesideIt(Connector connector) throws IOException {
        byte[] payload = gzip(randomBytes(100_000));
        send(BodyKind.BYTE_BUFFERS.give(put(client(connector)).header(HttpHeaders.CONTENT_ENCODING, "gzip"), payload));

        RawHttp.Response stored = RawS3.get(server(), path);
        boolean decodes = server().traits().decodesBesideGzip();
        assertThat(stored.headers().get("content-encoding")).isEqualTo(decodes ? "gzip" : "aws-chunked,gzip");
        assertThat(Arrays.equals(stored.body(), payload)).isEqualTo(decodes);
    }

    @ParameterizedTest
    @EnumSource
    void storesPlainBodiesOfAClient(Connector connector) throws IOException {
        byte[] payload = randomBytes(100_000);
        WebClient plain = client(connector, server(), settings(server()).plainBodies());

        send(BodyKind.POOLED_DATA_BUFFERS.give(put(plain), payload));

        assertStored(payload);
    }

    @ParameterizedTest
    @EnumSource
    void storesThePlainBodyOfOneRequest(Connector connector) throws IOException {
        byte[] payload = randomBytes(100_000);

        send(BodyKind.POOLED_DATA_BUFFERS.give(
                put(client(connector)).attributes(S3ExchangeFilter.plainBody()), payload));

        assertStored(payload);
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(zipped)) {
            out.write(bytes);
        }
        return zipped.toByteArray();
    }

    /** An answer without a body has none of length 0. */
    private static byte[] bytes(ResponseEntity<byte[]> read) {
        byte[] body = read.getBody();
        return body == null ? new byte[0] : body;
    }
}
