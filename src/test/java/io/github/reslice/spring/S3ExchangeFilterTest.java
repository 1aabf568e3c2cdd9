package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.AwsChunked;
import io.github.reslice.awschunked.ReferenceDecoder;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.servers.Answer;
import io.github.reslice.servers.RecordedRequest;
import io.github.reslice.servers.RecordingServer;
import io.github.reslice.sigv4.AwsCredentials;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClient.RequestBodySpec;
import org.springframework.web.reactive.function.client.WebClient.RequestHeadersSpec;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class S3ExchangeFilterTest {

    private static final String SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    private static final AwsCredentials CREDENTIALS = AwsCredentials.of("AKIAIOSFODNN7EXAMPLE", SECRET);
    private static final String HASH_OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    private final byte[] payload = new byte[300_000];
    private RecordingServer server;

    @BeforeEach
    void start() throws IOException {
        new Random(1).nextBytes(payload);
        server = RecordingServer.answering(Answer.status(200));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private static S3ExchangeFilter.Builder filter() {
        return S3ExchangeFilter.builder().credentials(CREDENTIALS).region("us-east-1");
    }

    private WebClient client(Connector connector, S3ExchangeFilter.Builder filter) {
        return connector
                .client()
                .baseUrl(server.endpoint().toString())
                .filter(filter.build())
                .build();
    }

    private RecordedRequest put(
            Connector connector,
            S3ExchangeFilter.Builder filter,
            Function<RequestBodySpec, RequestHeadersSpec<?>> body) {
        return sent(body.apply(client(connector, filter).put().uri("/bucket/key")));
    }

    private RecordedRequest sent(RequestHeadersSpec<?> request) {
        request.retrieve().toBodilessEntity().block();
        RecordedRequest recorded = server.requests().get(server.requests().size() - 1);
        WireSignature signature = new WireSignature(recorded);
        assertThat(signature.sent()).isEqualTo(signature.expected(SECRET));
        assertThat(signature.signedHeaders()).contains("host", "x-amz-date", "x-amz-content-sha256");
        return recorded;
    }

    private static void assertEncoded(RecordedRequest request, byte[] payload) {
        assertThat(request.header("x-amz-content-sha256")).isEqualTo("STREAMING-UNSIGNED-PAYLOAD-TRAILER");
        assertThat(request.header("content-encoding")).isEqualTo("aws-chunked");
        assertThat(request.header("x-amz-decoded-content-length")).isEqualTo(Integer.toString(payload.length));
        assertThat(request.header("content-length")).isEqualTo(Integer.toString(request.body().length));
        assertThat(request.header("x-amz-trailer")).isEqualTo("x-amz-checksum-crc32");
        assertThat(request.header("x-amz-sdk-checksum-algorithm")).isEqualTo("CRC32");
        assertThat(request.header("transfer-encoding")).isNull();
        assertThat(new WireSignature(request).signedHeaders())
                .contains("content-encoding", "content-length", "x-amz-decoded-content-length", "x-amz-trailer");
        ReferenceDecoder.Body body = ReferenceDecoder.decode(request.body());
        assertThat(body.payload()).isEqualTo(payload);
        assertThat(body.trailers()).isEqualTo(Map.of("x-amz-checksum-crc32", crc32(payload)));
    }

    private static void assertPlain(RecordedRequest request, byte[] payload) {
        assertThat(request.header("x-amz-content-sha256")).isEqualTo("UNSIGNED-PAYLOAD");
        assertThat(request.header("content-encoding")).isNull();
        assertThat(request.header("x-amz-trailer")).isNull();
        assertThat(request.header("content-length")).isEqualTo(Integer.toString(payload.length));
        assertThat(request.body()).isEqualTo(payload);
    }

    private static String crc32(byte[] bytes) {
        RunningChecksum checksum = ChecksumAlgorithm.CRC32.start();
        checksum.update(bytes, 0, bytes.length);
        return checksum.base64();
    }

    private Flux<ByteBuffer> byteBuffers() {
        return Flux.range(0, 30)
                .map(i -> ByteBuffer.wrap(payload, i * 10_000, 10_000).slice());
    }

    @ParameterizedTest
    @EnumSource
    void encodesAFluxOfByteBuffers(Connector connector) {
        RecordedRequest request = put(
                connector, filter(), put -> put.contentLength(payload.length).body(byteBuffers(), ByteBuffer.class));

        assertEncoded(request, payload);
    }

    @ParameterizedTest
    @EnumSource
    void leavesTheCallersByteBuffersAsTheyWere(Connector connector) {
        ByteBuffer lent = ByteBuffer.wrap(payload, 5, 200_000);

        for (int i = 0; i < 2; i++) {
            RecordedRequest request =
                    put(connector, filter(), put -> put.contentLength(200_000).body(Flux.just(lent), ByteBuffer.class));
            byte[] expected = new byte[200_000];
            lent.get(5, expected);
            assertEncoded(request, expected);
        }

        assertThat(lent.position()).isEqualTo(5);
        assertThat(lent.remaining()).isEqualTo(200_000);
    }

    @ParameterizedTest
    @EnumSource
    void encodesPooledBuffers(Connector connector) throws InterruptedException {
        TrackedBuffers buffers = new TrackedBuffers(PooledByteBufAllocator.DEFAULT);

        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.contentLength(payload.length).body(buffers.slicesOf(payload, 7_777), DataBuffer.class));

        assertEncoded(request, payload);
        buffers.assertAllReleased();
    }

    @ParameterizedTest
    @EnumSource
    void encodesBuffersOfNettysDefaultAllocatorThatSpanManyChunks(Connector connector) throws InterruptedException {
        TrackedBuffers buffers = new TrackedBuffers(ByteBufAllocator.DEFAULT);
        AwsChunked small = AwsChunked.builder().chunkSize(8192).build();

        RecordedRequest request = put(
                connector,
                filter().chunked(small),
                put -> put.contentLength(payload.length).body(buffers.slicesOf(payload, 100_000), DataBuffer.class));

        assertEncoded(request, payload);
        buffers.assertAllReleased();
    }

    @ParameterizedTest
    @EnumSource
    void sendsTheSameHeapDataBufferTwice(Connector connector) {
        DataBuffer lent = DefaultDataBufferFactory.sharedInstance.wrap(payload);

        for (int i = 0; i < 2; i++) {
            RecordedRequest request = put(
                    connector,
                    filter(),
                    put -> put.contentLength(payload.length).body(Flux.just(lent), DataBuffer.class));
            assertEncoded(request, payload);
        }
    }

    @ParameterizedTest
    @EnumSource
    void encodesAResource(Connector connector, @TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("file.bin"), payload);

        RecordedRequest request =
                put(connector, filter(), put -> put.body(BodyInserters.fromResource(new FileSystemResource(file))));

        assertEncoded(request, payload);
    }

    @ParameterizedTest
    @EnumSource
    void encodesAString(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.contentType(MediaType.TEXT_PLAIN).bodyValue("hello world"));

        assertEncoded(request, "hello world".getBytes(StandardCharsets.UTF_8));
        assertThat(new WireSignature(request).signedHeaders()).contains("content-type");
    }

    @ParameterizedTest
    @EnumSource
    void encodesJson(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.contentType(MediaType.APPLICATION_JSON).bodyValue(Map.of("a", 1)));

        assertEncoded(request, "{\"a\":1}".getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource
    void encodesAStreamThatSpringFlushesLineByLine(Connector connector) {
        byte[] lines = "{\"a\":1}\n{\"a\":2}\n".getBytes(StandardCharsets.UTF_8);

        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.contentType(MediaType.APPLICATION_NDJSON)
                        .contentLength(lines.length)
                        .body(Flux.just(Map.of("a", 1), Map.of("a", 2)), Map.class));

        assertEncoded(request, lines);
    }

    @ParameterizedTest
    @EnumSource
    void encodesAnEmptyStreamOfLengthZero(Connector connector) {
        RecordedRequest request =
                put(connector, filter(), put -> put.contentLength(0).body(Flux.empty(), ByteBuffer.class));

        assertEncoded(request, new byte[0]);
    }

    @ParameterizedTest
    @EnumSource
    void putsAnEmptyObjectWithoutABody(Connector connector) {
        RecordedRequest request = put(connector, filter(), put -> put);

        assertThat(request.header("content-length")).isEqualTo("0");
        assertThat(request.header("x-amz-content-sha256")).isEqualTo(HASH_OF_NOTHING);
        assertThat(request.header("content-encoding")).isNull();
        assertThat(request.body()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void refusesAPutWithoutABodyThatDeclaresALength(Connector connector) {
        assertThatThrownBy(() -> put(connector, filter(), put -> put.contentLength(5)))
                .hasStackTraceContaining("5 bytes were declared, 0 had come");
    }

    @ParameterizedTest
    @EnumSource
    void signsAGet(Connector connector) {
        RecordedRequest request =
                sent(client(connector, filter()).get().uri("/bucket?list-type=2&prefix=a b&delimiter"));

        assertThat(request.line()).isEqualTo("GET /bucket?list-type=2&prefix=a%20b&delimiter HTTP/1.1");
        assertThat(request.header("x-amz-content-sha256")).isEqualTo(HASH_OF_NOTHING);
        assertThat(request.header("authorization")).doesNotContain("content-length");
    }

    @ParameterizedTest
    @EnumSource
    void signsADelete(Connector connector) {
        RecordedRequest request = sent(client(connector, filter()).delete().uri("/bucket/key"));

        assertThat(request.header("x-amz-content-sha256")).isEqualTo(HASH_OF_NOTHING);
    }

    @ParameterizedTest
    @EnumSource
    void encodesAnObjectAndAPartOfAMultipartUpload(Connector connector) {
        for (String query :
                List.of("x-id=PutObject", "partNumber=1&uploadId=abc", "uploadId=abc&x-id=UploadPart&partNumber=1")) {
            RecordedRequest request = sent(client(connector, filter())
                    .put()
                    .uri("/bucket/key?" + query)
                    .contentLength(payload.length)
                    .body(byteBuffers(), ByteBuffer.class));

            assertEncoded(request, payload);
        }
    }

    @ParameterizedTest
    @EnumSource
    void leavesOtherOperationsBodiesAsTheyAre(Connector connector) {
        for (String query : List.of("tagging", "partNumber=1", "uploadId=abc", "versionId=1", "x-id=a&tagging")) {
            RecordedRequest request = sent(client(connector, filter())
                    .put()
                    .uri("/bucket/key?" + query)
                    .bodyValue("<Tagging/>"));

            assertPlain(request, "<Tagging/>".getBytes(StandardCharsets.UTF_8));
        }
    }

    @ParameterizedTest
    @EnumSource
    void leavesAPostsBodyAsItIs(Connector connector) {
        RecordedRequest request =
                sent(client(connector, filter()).post().uri("/bucket?delete").bodyValue("<Delete/>"));

        assertPlain(request, "<Delete/>".getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource
    void doesNotEncodeACopy(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.header("x-amz-copy-source", "/bucket/other").bodyValue("hello world"));

        assertPlain(request, "hello world".getBytes(StandardCharsets.UTF_8));
        assertThat(new WireSignature(request).signedHeaders()).contains("x-amz-copy-source");
    }

    @ParameterizedTest
    @EnumSource
    void canSendAllBodiesPlain(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter().plainBodies(),
                put -> put.contentLength(payload.length).body(byteBuffers(), ByteBuffer.class));

        assertPlain(request, payload);
        assertThat(new WireSignature(request).signedHeaders()).contains("content-length");
    }

    @ParameterizedTest
    @EnumSource
    void canSendOneBodyPlain(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.attributes(S3ExchangeFilter.plainBody())
                        .contentLength(payload.length)
                        .body(byteBuffers(), ByteBuffer.class));

        assertPlain(request, payload);
    }

    @ParameterizedTest
    @EnumSource
    void sendsAnEmptyPlainBodyWithItsLength(Connector connector) {
        RecordedRequest request = put(
                connector, filter().plainBodies(), put -> put.contentLength(0).body(Flux.empty(), ByteBuffer.class));

        assertThat(request.header("content-length")).isEqualTo("0");
        assertThat(request.header("transfer-encoding")).isNull();
        assertThat(request.header("x-amz-content-sha256")).isEqualTo(HASH_OF_NOTHING);
    }

    @ParameterizedTest
    @EnumSource
    void leavesABodyAloneWhoseHashTheCallerGives(Connector connector) {
        String hash = "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9";

        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.header("x-amz-content-sha256", hash).bodyValue("hello world"));

        assertThat(request.header("x-amz-content-sha256")).isEqualTo(hash);
        assertThat(request.body()).asString().isEqualTo("hello world");
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheCallersContentEncoding(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.header("Content-Encoding", "gzip").bodyValue("hello world"));

        assertThat(request.headers("content-encoding")).containsExactly("aws-chunked,gzip");
    }

    @ParameterizedTest
    @EnumSource
    void sendsNoTrailerBesideTheCallersOwnChecksum(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.header("x-amz-checksum-sha256", "abc=")
                        .header("x-amz-trailer", "x-amz-checksum-sha1")
                        .bodyValue("hello world"));

        assertThat(request.header("x-amz-checksum-sha256")).isEqualTo("abc=");
        assertThat(request.header("x-amz-trailer")).isNull();
        assertThat(request.header("x-amz-sdk-checksum-algorithm")).isNull();
        assertThat(ReferenceDecoder.decode(request.body()).trailers()).isEmpty();
        assertThat(new WireSignature(request).signedHeaders()).contains("x-amz-checksum-sha256");
    }

    @ParameterizedTest
    @EnumSource
    void sendsTheTrailerBesideAChecksumsTypeModeAndAlgorithm(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.header("x-amz-checksum-algorithm", "CRC32")
                        .header("x-amz-checksum-mode", "ENABLED")
                        .header("x-amz-checksum-type", "FULL_OBJECT")
                        .bodyValue("hello world"));

        assertThat(ReferenceDecoder.decode(request.body()).trailers()).containsKey("x-amz-checksum-crc32");
    }

    @ParameterizedTest
    @EnumSource
    void signsTheSessionToken(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter().credentials(AwsCredentials.of("AKIAIOSFODNN7EXAMPLE", SECRET, "the-token")),
                put -> put.bodyValue("hello world"));

        assertThat(request.header("x-amz-security-token")).isEqualTo("the-token");
        assertThat(new WireSignature(request).signedHeaders()).contains("x-amz-security-token");
    }

    @ParameterizedTest
    @EnumSource
    void signsHeadersThatComeTwiceAsTheyAreSent(Connector connector) {
        RecordedRequest request = put(
                connector, filter(), put -> put.header("x-amz-meta-a", "1", "2").bodyValue("hello world"));

        assertThat(request.headers("x-amz-meta-a")).containsExactly("1,2");
    }

    @ParameterizedTest
    @EnumSource
    void doesNotSignWhatOthersMayChange(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.header("User-Agent", "me")
                        .header("X-Forwarded-For", "127.0.0.1")
                        .header("Accept", "text/plain")
                        .bodyValue("hello world"));

        assertThat(new WireSignature(request).signedHeaders())
                .doesNotContain("user-agent", "x-forwarded-for", "accept", "accept-encoding", "transfer-encoding");
    }

    @ParameterizedTest
    @EnumSource
    void refusesASignedHeaderThatIsNotAscii(Connector connector) {
        assertThatThrownBy(() -> put(
                        connector,
                        filter(),
                        put -> put.header("x-amz-meta-a", "gr\u00fc\u00df").bodyValue("x")))
                .hasStackTraceContaining("x-amz-meta-a")
                .hasStackTraceContaining("U+00fc");
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void sendsThePathAsItWasSigned(Connector connector) {
        String[][] paths = {
            {"/bucket/a+b", "/bucket/a%2Bb"},
            {"/bucket/a%2Bb", "/bucket/a%2Bb"},
            {"/bucket/a%20b", "/bucket/a%20b"},
            {"/bucket/a%25b", "/bucket/a%25b"},
            {"/bucket/(!)*'", "/bucket/%28%21%29%2A%27"},
            {"/bucket//a//b", "/bucket//a//b"},
            {"//a/b", "//a/b"},
            {"/bucket/a/../b/./c", "/bucket/a/../b/./c"},
            {"/bucket/..", "/bucket/.."},
            {"/bucket/gr%C3%BC%C3%9F", "/bucket/gr%C3%BC%C3%9F"},
            {"/bucket/a%2Fb", "/bucket/a/b"},
            {"/bucket/a%3Fb%23c", "/bucket/a%3Fb%23c"},
            {"/bucket/~tilde", "/bucket/~tilde"},
            {"/bucket/", "/bucket/"},
            {"", "/"},
            {"/bucket?prefix=a/b%2Bc+d", "/bucket?prefix=a%2Fb%2Bc%2Bd"},
        };
        WebClient client = client(connector, filter());
        for (String[] path : paths) {
            RecordedRequest request = sent(client.get().uri(URI.create(server.endpoint() + path[0])));

            assertThat(request.line()).isEqualTo("GET " + path[1] + " HTTP/1.1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void passesAPresignedUriUntouched(Connector connector) {
        for (String name : List.of("X-Amz-Signature", "x-amz-signature")) {
            String target = "/bucket/a+b?X-Amz-Algorithm=AWS4-HMAC-SHA256&" + name + "=00";
            client(connector, filter())
                    .put()
                    .uri(URI.create(server.endpoint() + target))
                    .bodyValue("hello world")
                    .retrieve()
                    .toBodilessEntity()
                    .block();

            RecordedRequest request = server.requests().get(server.requests().size() - 1);
            assertThat(request.line()).isEqualTo("PUT " + target + " HTTP/1.1");
            assertThat(request.header("authorization")).isNull();
            assertThat(request.header("x-amz-content-sha256")).isNull();
            assertThat(request.body()).asString().isEqualTo("hello world");
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesABodyOfUnknownLengthBeforeAnythingIsSent(Connector connector) {
        assertThatThrownBy(() -> put(connector, filter(), put -> put.body(byteBuffers(), ByteBuffer.class)))
                .hasRootCauseInstanceOf(UnknownLengthException.class)
                .hasStackTraceContaining("contentLength(n)");
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void sendsABodyOfUnknownLengthByChunkedTransferIfToldSo(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter().transferEncodingChunked(),
                put -> put.header("Transfer-Encoding", "chunked")
                        .header("Content-Length", "-1")
                        .header("x-amz-decoded-content-length", "7")
                        .body(byteBuffers(), ByteBuffer.class));

        assertThat(request.headers("transfer-encoding")).containsExactly("chunked");
        assertThat(request.header("content-length")).isNull();
        assertThat(request.header("x-amz-decoded-content-length")).isNull();
        assertThat(new WireSignature(request).signedHeaders()).doesNotContain("transfer-encoding");
        assertThat(ReferenceDecoder.decode(request.body()).payload()).isEqualTo(payload);
    }

    @ParameterizedTest
    @EnumSource
    void sendsAKnownLengthEvenIfChunkedTransferIsAllowed(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter().transferEncodingChunked(),
                put -> put.contentLength(payload.length).body(byteBuffers(), ByteBuffer.class));

        assertEncoded(request, payload);
    }

    @ParameterizedTest
    @EnumSource
    void asksForCredentialsBeforeTheBody(Connector connector) {
        TrackedBuffers buffers = new TrackedBuffers(PooledByteBufAllocator.DEFAULT);

        assertThatThrownBy(() -> put(
                        connector,
                        filter().credentials(Mono.error(new IOException("no credentials today"))),
                        put -> put.contentLength(payload.length)
                                .body(buffers.slicesOf(payload, 1000), DataBuffer.class)))
                .hasRootCauseMessage("no credentials today");

        assertThat(buffers.count()).isZero();
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void saysSoWhenTheCredentialsMonoIsEmpty() {
        assertThatThrownBy(() -> put(Connector.JDK, filter().credentials(Mono.empty()), put -> put.bodyValue("x")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("credentials");
    }

    @Test
    void saysWhichSettingIsMissing() {
        assertThatThrownBy(() -> S3ExchangeFilter.builder().region("us-east-1").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("credentials(");
        assertThatThrownBy(() ->
                        S3ExchangeFilter.builder().credentials(CREDENTIALS).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("region(");
    }

    @Test
    void refusesAUriWithUserInformation() {
        assertThatThrownBy(() -> Connector.JDK
                        .client()
                        .filter(filter().build())
                        .build()
                        .method(HttpMethod.GET)
                        .uri(URI.create("http://me@127.0.0.1/bucket"))
                        .retrieve()
                        .toBodilessEntity()
                        .block())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void showsNoSecret() {
        assertThat(filter().build().toString()).doesNotContain(SECRET).contains("us-east-1");
    }

    @ParameterizedTest
    @EnumSource
    void replacesACallersHeadersOfTheEncoding(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.header("x-amz-trailer", "x-amz-checksum-sha1")
                        .header("x-amz-decoded-content-length", "7")
                        .header("Content-Encoding", "AWS-chunked")
                        .bodyValue("hello world"));

        assertEncoded(request, "hello world".getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource
    void namesTheEncodingOnceBesideACallersOther(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.header("Content-Encoding", "gzip, aws-chunked").bodyValue("hello world"));

        assertThat(request.headers("content-encoding")).containsExactly("aws-chunked,gzip");
    }

    @ParameterizedTest
    @EnumSource
    void signsTheContentMd5(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter().plainBodies(),
                put -> put.header("Content-MD5", "XrY7u+Ae7tCTyyK7j1rNww==").bodyValue("hello world"));

        assertThat(new WireSignature(request).signedHeaders()).contains("content-md5");
    }

    @ParameterizedTest
    @EnumSource
    void givesALengthOfZeroAndDoesNotSignItWithoutABody(Connector connector) {
        for (HttpMethod method : List.of(HttpMethod.PUT, HttpMethod.POST, HttpMethod.PATCH)) {
            RecordedRequest request =
                    sent(client(connector, filter()).method(method).uri("/bucket/key"));

            assertThat(request.header("content-length")).isEqualTo("0");
            assertThat(new WireSignature(request).signedHeaders()).doesNotContain("content-length");
        }
    }

    @ParameterizedTest
    @EnumSource
    void sendsNoTransferEncodingBesideALength(Connector connector) {
        byte[] bytes = "hello world".getBytes(StandardCharsets.UTF_8);

        RecordedRequest encoded = put(
                connector,
                filter(),
                put -> put.header("Transfer-Encoding", "chunked").bodyValue("hello world"));
        RecordedRequest plain = put(
                connector,
                filter().plainBodies(),
                put -> put.header("Transfer-Encoding", "chunked").bodyValue("hello world"));
        RecordedRequest empty = put(connector, filter(), put -> put.header("Transfer-Encoding", "chunked"));

        assertEncoded(encoded, bytes);
        assertPlain(plain, bytes);
        assertThat(plain.header("transfer-encoding")).isNull();
        assertThat(empty.header("transfer-encoding")).isNull();
        assertThat(empty.header("content-length")).isEqualTo("0");
    }

    @ParameterizedTest
    @EnumSource
    void doesNotWaitForABodyOfUnknownLengthThatIsNotThere(Connector connector) {
        assertThatThrownBy(() -> client(connector, filter())
                        .put()
                        .uri("/bucket/key")
                        .body(BodyInserters.fromDataBuffers(Mono.never()))
                        .retrieve()
                        .toBodilessEntity()
                        .block(Duration.ofSeconds(20)))
                .hasRootCauseInstanceOf(UnknownLengthException.class);
    }

    @ParameterizedTest
    @EnumSource
    void doesNotMakeABodyThatItRefuses(Connector connector) {
        TrackedBuffers buffers = new TrackedBuffers(PooledByteBufAllocator.DEFAULT);
        Mono<DataBuffer> body = Mono.fromSupplier(() -> buffers.of(payload, 0, 1000));

        assertThatThrownBy(() -> put(connector, filter(), put -> put.body(BodyInserters.fromDataBuffers(body))))
                .hasRootCauseInstanceOf(UnknownLengthException.class);
        assertThat(buffers.count()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void refusesAHeaderThatWouldNotBeSentAsItIs(Connector connector) {
        for (String name : List.of("x-amz-meta-a", "X-Other")) {
            for (String value :
                    List.of(" hidden", "hidden ", "\thidden", "hid\u0001den", "hidden\r\nX-More: 1", "hid\u007fden")) {
                assertThatThrownBy(() -> put(
                                connector,
                                filter(),
                                put -> put.header(name, value).bodyValue("x")))
                        .rootCause()
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("Header " + name)
                        .hasMessageNotContaining("hid");
                assertThatThrownBy(() -> sent(client(connector, filter())
                                .get()
                                .uri("/bucket/key")
                                .header(name, value)))
                        .rootCause()
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("Header " + name);
            }
        }
        assertThat(server.requests()).isEmpty();
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller may do who does not check for null
    void namesWhatIsNull() {
        S3ExchangeFilter.Builder builder = S3ExchangeFilter.builder();

        assertThatThrownBy(() -> builder.credentials((AwsCredentials) null)).hasMessage("credentials");
        assertThatThrownBy(() -> builder.region(null)).hasMessage("region");
        assertThatThrownBy(() -> builder.service(null)).hasMessage("service");
    }

    private static S3Error refusal(RequestHeadersSpec<?> request) {
        return request.retrieve()
                .toBodilessEntity()
                .thenReturn(new S3Error(200, null, null, null, null, null))
                .onErrorResume(WebClientResponseException.class, e -> Mono.just(S3Error.from(e)))
                .blockOptional()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void namesTheSwitchWhenAnEncodedBodyIsNotImplemented(Connector connector) throws IOException {
        for (Answer answer : List.of(
                Answer.status(501),
                Answer.status(501).body("application/xml", "<Error><Code>NotImplemented</Code></Error>"),
                Answer.status(400).body("application/xml", "<Error><Code>XAmzContentSHA256Mismatch</Code></Error>"))) {
            server.close();
            server = RecordingServer.answering(answer);

            S3Error error =
                    refusal(client(connector, filter()).put().uri("/bucket/key").bodyValue("hello world"));

            assertThat(error.hint()).contains("plainBodies()");
        }
    }

    @ParameterizedTest
    @EnumSource
    void hasNoHintWhenWhatIsNotImplementedWasNotEncoded(Connector connector) throws IOException {
        server.close();
        server = RecordingServer.answering(Answer.status(501)
                .body(
                        "application/xml",
                        "<Error><Code>NotImplemented</Code><Message>x-amz-content-sha256</Message></Error>"));
        WebClient encoding = client(connector, filter());
        WebClient plain = client(connector, filter().plainBodies());

        for (RequestHeadersSpec<?> request : List.<RequestHeadersSpec<?>>of(
                encoding.put().uri("/bucket/key?tagging").bodyValue("<Tagging/>"),
                encoding.put().uri("/bucket"),
                encoding.get().uri("/bucket/key"),
                plain.put().uri("/bucket/key").bodyValue("hello world"))) {
            S3Error error = refusal(request);

            assertThat(error.code()).isEqualTo("NotImplemented");
            assertThat(error.hint()).isNull();
        }
    }
}
