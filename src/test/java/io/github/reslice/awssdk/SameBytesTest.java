package io.github.reslice.awssdk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.servers.Answer;
import io.github.reslice.servers.PlainHttp;
import io.github.reslice.servers.RecordedRequest;
import io.github.reslice.servers.RecordingServer;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;
import software.amazon.awssdk.services.s3.auth.scheme.S3AuthSchemeProvider;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.Tag;

/** A request of a client with the scheme is, byte for byte, that of a client without it, but for what the time makes differ. */
class SameBytesTest {

    private static final List<String> BY_TIME = List.of("X-Amz-Date", "amz-sdk-invocation-id");

    private static final byte[] PAYLOAD = new byte[300_000];

    static {
        new Random(4).nextBytes(PAYLOAD);
    }

    static Stream<Arguments> uploads() {
        return Stream.of(
                upload("as it comes", put -> {}),
                upload("CRC32", put -> put.checksumAlgorithm(ChecksumAlgorithm.CRC32)),
                upload("CRC32C", put -> put.checksumAlgorithm(ChecksumAlgorithm.CRC32_C)),
                upload("SHA1", put -> put.checksumAlgorithm(ChecksumAlgorithm.SHA1)),
                upload("SHA256", put -> put.checksumAlgorithm(ChecksumAlgorithm.SHA256)),
                upload("SHA512", put -> put.checksumAlgorithm("SHA512")),
                upload("gzip", put -> put.contentEncoding("gzip")),
                upload("gzip, br", put -> put.contentEncoding("gzip, br")),
                upload(
                        "metadata",
                        put -> put.metadata(Map.of("name", "two  words", "other", "x"))
                                .contentType("text/plain; charset=utf-8")
                                .cacheControl("no-cache")
                                .tagging("a=b&c=d e")),
                upload(
                        "encryption",
                        put -> put.serverSideEncryption("aws:kms")
                                .ssekmsKeyId("arn:aws:kms:us-east-1:1:key/a")
                                .bucketKeyEnabled(true)),
                upload("precomputed CRC32", put -> put.checksumCRC32("AAAAAA==")),
                upload("precomputed SHA256", put -> put.checksumSHA256("n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=")),
                upload("precomputed CRC64NVME", put -> put.checksumCRC64NVME("AAAAAAAAAAA=")),
                upload("contentLength", put -> put.contentLength((long) PAYLOAD.length)),
                upload("Content-MD5", put -> put.contentMD5("1B2M2Y8AsgTpgAmY7PhCfg==")),
                upload("if-none-match", put -> put.ifNoneMatch("*")));
    }

    private static Arguments upload(String name, Consumer<PutObjectRequest.Builder> change) {
        return Arguments.of(name, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("uploads")
    void uploadsTheSameObject(String name, Consumer<PutObjectRequest.Builder> change) throws IOException {
        assertSame(builder -> {}, s3 -> s3.putObject(object(change), AsyncRequestBody.fromBytes(PAYLOAD)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("uploads")
    void uploadsTheSameEmptyObject(String name, Consumer<PutObjectRequest.Builder> change) throws IOException {
        assertSame(
                builder -> {},
                s3 -> s3.putObject(object(change.andThen(put -> put.contentLength(0L))), AsyncRequestBody.empty()));
    }

    static Stream<Arguments> clients() {
        return Stream.of(
                client(
                        "chunkedEncodingEnabled(false)",
                        s3 -> s3.serviceConfiguration(c -> c.chunkedEncodingEnabled(false))),
                client("WHEN_REQUIRED", s3 -> s3.requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)),
                client(
                        "expectContinueEnabled(false)",
                        s3 -> s3.serviceConfiguration(c -> c.expectContinueEnabled(false))),
                client(
                        "expectContinueThreshold",
                        s3 -> s3.serviceConfiguration(
                                c -> c.expectContinueEnabled(true).expectContinueThresholdInBytes(1L))),
                client("anonymous", s3 -> s3.credentialsProvider(AnonymousCredentialsProvider.create())),
                client(
                        "session",
                        s3 -> s3.credentialsProvider(StaticCredentialsProvider.create(
                                AwsSessionCredentials.create("access", "secret", "token+/=")))),
                client("crossRegionAccessEnabled", s3 -> s3.crossRegionAccessEnabled(true)),
                client(
                        "a header of the client's",
                        s3 -> s3.overrideConfiguration(o -> o.putHeader("x-amz-meta-a", "b"))));
    }

    private static Arguments client(String name, Consumer<S3AsyncClientBuilder> change) {
        return Arguments.of(name, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("clients")
    void uploadsTheSameWhateverTheClientsSettings(String name, Consumer<S3AsyncClientBuilder> settings)
            throws IOException {
        assertSame(settings, s3 -> s3.putObject(object(put -> {}), AsyncRequestBody.fromBytes(PAYLOAD)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("clients")
    void uploadsTheSamePartWhateverTheClientsSettings(String name, Consumer<S3AsyncClientBuilder> settings)
            throws IOException {
        assertSame(
                settings,
                s3 -> s3.uploadPart(
                        part -> part.bucket("bucket")
                                .key("key")
                                .uploadId("a+b/c=")
                                .partNumber(2),
                        AsyncRequestBody.fromBytes(PAYLOAD)));
    }

    @ParameterizedTest
    @FieldSource("io.github.reslice.servers.OddKeys#ALL")
    void uploadsUnderTheSamePath(String key) throws IOException {
        assertSame(
                builder -> {},
                s3 -> s3.putObject(put -> put.bucket("bucket").key(key), AsyncRequestBody.fromString("abc")));
    }

    static Stream<Arguments> otherCalls() {
        return Stream.of(
                call(
                        "get",
                        s3 -> s3.getObject(get -> get.bucket("bucket").key("k"), AsyncResponseTransformer.toBytes())),
                call("head", s3 -> s3.headObject(head -> head.bucket("bucket").key("k"))),
                call(
                        "delete",
                        s3 -> s3.deleteObject(delete -> delete.bucket("bucket").key("k"))),
                call(
                        "list",
                        s3 -> s3.listObjectsV2(list -> list.bucket("bucket").prefix("a b/"))),
                call("list buckets", s3 -> s3.listBuckets()),
                call("create bucket", s3 -> s3.createBucket(create -> create.bucket("bucket"))),
                call(
                        "delete many",
                        s3 -> s3.deleteObjects(delete -> delete.bucket("bucket")
                                .delete(d -> d.objects(
                                        ObjectIdentifier.builder().key("k").build())))),
                call(
                        "tag",
                        s3 -> s3.putObjectTagging(tag -> tag.bucket("bucket")
                                .key("k")
                                .tagging(t -> t.tagSet(
                                        Tag.builder().key("a").value("b").build())))),
                call(
                        "start parts",
                        s3 -> s3.createMultipartUpload(
                                create -> create.bucket("bucket").key("k"))),
                call(
                        "end parts",
                        s3 -> s3.completeMultipartUpload(complete -> complete.bucket("bucket")
                                .key("k")
                                .uploadId("u")
                                .multipartUpload(m -> m.parts(CompletedPart.builder()
                                        .partNumber(1)
                                        .eTag("e")
                                        .build())))),
                call(
                        "abort parts",
                        s3 -> s3.abortMultipartUpload(
                                abort -> abort.bucket("bucket").key("k").uploadId("u"))),
                call(
                        "copy",
                        s3 -> s3.copyObject(copy -> copy.sourceBucket("bucket")
                                .sourceKey("k")
                                .destinationBucket("bucket")
                                .destinationKey("l"))));
    }

    private static Arguments call(String name, Function<S3AsyncClient, CompletableFuture<?>> call) {
        return Arguments.of(name, call);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("otherCalls")
    void sendsTheSameOfWhatIsNoUpload(String name, Function<S3AsyncClient, CompletableFuture<?>> call)
            throws IOException {
        assertSame(builder -> {}, call);
    }

    private static PutObjectRequest object(Consumer<PutObjectRequest.Builder> change) {
        return PutObjectRequest.builder()
                .bucket("bucket")
                .key("key")
                .applyMutation(change)
                .build();
    }

    @Test
    void uploadsTheSameOverHttps() throws IOException {
        assertSame(overHttps(false), s3 -> s3.putObject(object(put -> {}), AsyncRequestBody.fromBytes(PAYLOAD)));
    }

    @ParameterizedTest
    @EnumSource(RequestChecksumCalculation.class)
    void uploadsTheSameSignedOverHttps(RequestChecksumCalculation calculation) throws IOException {
        assertSame(
                overHttps(true).andThen(s3 -> s3.requestChecksumCalculation(calculation)),
                s3 -> s3.putObject(object(put -> {}), AsyncRequestBody.fromBytes(PAYLOAD)));
    }

    /** The signer is told HTTPS; what it signed goes over plain HTTP. */
    private static Consumer<S3AsyncClientBuilder> overHttps(boolean signed) {
        return s3 -> s3.endpointOverride(URI.create("https://127.0.0.1:9"))
                .authSchemeProvider(params -> S3AuthSchemeProvider.defaultProvider().resolveAuthScheme(params).stream()
                        .map(option -> option.toBuilder()
                                .putSignerProperty(AwsV4FamilyHttpSigner.PAYLOAD_SIGNING_ENABLED, signed)
                                .build())
                        .toList());
    }

    private static void assertSame(
            Consumer<S3AsyncClientBuilder> settings, Function<S3AsyncClient, CompletableFuture<?>> call)
            throws IOException {
        try (RecordingServer server = RecordingServer.answering(Answer.status(200))) {
            URI endpoint = server.endpoint();
            Consumer<S3AsyncClientBuilder> there =
                    s3 -> s3.httpClient(new PlainHttp(Clients.NETTY, endpoint.getPort()));
            try (S3AsyncClient with = Clients.withScheme(endpoint, there.andThen(settings));
                    S3AsyncClient without = Clients.without(endpoint, there.andThen(settings))) {
                send(with, call);
                send(without, call);
            }
            assertThat(server.requests()).hasSize(2);
            RecordedRequest ours = server.requests().get(0);
            RecordedRequest theirs = server.requests().get(1);
            assertThat(timeless(ours)).isEqualTo(timeless(theirs));
            assertThat(timeless(ours.body())).isEqualTo(timeless(theirs.body()));
        }
    }

    /** What the answer, which is empty, is taken for does not matter. */
    private static void send(S3AsyncClient client, Function<S3AsyncClient, CompletableFuture<?>> call) {
        call.apply(client)
                .orTimeout(20, TimeUnit.SECONDS)
                .handle((answer, failure) -> answer)
                .join();
    }

    /** Signatures follow from the time. */
    private static String timeless(byte[] body) {
        return new String(body, ISO_8859_1).replaceAll("(signature[=:])[0-9a-f]{64}", "$1");
    }

    /** The lines of the head as they are on the wire, without what is another each time. */
    private static List<String> timeless(RecordedRequest request) {
        return Arrays.stream(request.head().split("\r\n", -1))
                .map(line ->
                        line.startsWith("Authorization:") ? line.replaceFirst("[0-9]{8}/(.*Signature=).*", "$1") : line)
                .map(line -> BY_TIME.stream().anyMatch(line::startsWith) ? line.substring(0, line.indexOf(':')) : line)
                .toList();
    }
}
