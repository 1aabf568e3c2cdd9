package io.github.reslice.awssdk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.awschunked.ReferenceDecoder;
import io.github.reslice.servers.Answer;
import io.github.reslice.servers.PlainHttp;
import io.github.reslice.servers.RecordedRequest;
import io.github.reslice.servers.RecordingServer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.signer.AwsS3V4Signer;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.client.config.SdkAdvancedClientOption;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.scheme.AwsV4AuthScheme;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ServiceClientConfiguration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** Clients whose settings the scheme can serve in another way than most, or not at all. */
class SchemeSettingsTest {

    private static final StaticCredentialsProvider CREDENTIALS =
            StaticCredentialsProvider.create(AwsBasicCredentials.create("access", "secret"));

    private final RecordingServer server = RecordingServer.answering(Answer.status(200));

    SchemeSettingsTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void refusesTheUploadOfABlockingClientBeforeAnythingIsSent() {
        try (S3Client s3 = blocking()) {
            assertThatThrownBy(() ->
                            s3.putObject(put -> put.bucket("bucket").key("key"), RequestBody.fromString("payload")))
                    .hasStackTraceContaining("ResliceAuthScheme encodes the uploads of an S3AsyncClient")
                    .hasStackTraceContaining("Build that client without the scheme");
        }
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void leavesTheOtherCallsOfABlockingClientAsTheyAre() {
        try (S3Client s3 = blocking()) {
            s3.getObjectAsBytes(get -> get.bucket("bucket").key("key"));
        }
        assertThat(only().header("authorization")).startsWith("AWS4-HMAC-SHA256 Credential=access/");
    }

    /** It takes no scheme of its own, and not that of the client whose settings it is given. */
    @Test
    void doesNotReachAPresigner() {
        try (S3Client s3 = blocking();
                S3Presigner presigner = S3Presigner.builder()
                        .s3Client(s3)
                        .endpointOverride(server.endpoint())
                        .region(Region.US_EAST_1)
                        .credentialsProvider(CREDENTIALS)
                        .build()) {
            String url = presigner
                    .presignPutObject(presign -> presign.signatureDuration(Duration.ofMinutes(1))
                            .putObjectRequest(put -> put.bucket("bucket").key("key")))
                    .url()
                    .toString();

            assertThat(url).contains("X-Amz-Signature=").doesNotContain("aws-chunked");
        }
    }

    /** A signer given in the old way comes before every scheme. */
    @Test
    @SuppressWarnings("deprecation")
    void isPassedOverWhereASignerIsGiven() {
        upload(
                builder -> builder.overrideConfiguration(
                        o -> o.putAdvancedOption(SdkAdvancedClientOption.SIGNER, AwsS3V4Signer.create())),
                "payload");

        assertThat(only().header("authorization")).contains("Credential=access/");
    }

    @Test
    void isPassedOverWhereALaterPluginPutsAnotherScheme() {
        upload(
                builder -> builder.addPlugin(config ->
                        ((S3ServiceClientConfiguration.Builder) config).putAuthScheme(AwsV4AuthScheme.create())),
                "payload");

        assertThat(decoded(only())).isEqualTo("payload");
    }

    @Test
    void signsWhatAnInterceptorMadeOfTheRequest() {
        upload(
                builder -> builder.overrideConfiguration(o -> o.addExecutionInterceptor(new ExecutionInterceptor() {
                    @Override
                    public SdkHttpRequest modifyHttpRequest(
                            Context.ModifyHttpRequest context, ExecutionAttributes attributes) {
                        return context.httpRequest().toBuilder()
                                .encodedPath("/other%20key")
                                .putHeader("x-amz-meta-added", "later")
                                .build();
                    }
                })),
                "payload");

        assertThat(only().line()).isEqualTo("PUT /bucket/other%20key HTTP/1.1");
        assertThat(only().header("authorization")).contains("x-amz-meta-added");
        assertThat(decoded(only())).isEqualTo("payload");
    }

    @Test
    void encodesForABucketInTheHostsName() {
        upload(this::toAmazon, "payload");

        assertThat(only().line()).isEqualTo("PUT /key HTTP/1.1");
        assertThat(only().header("host")).isEqualTo("bucket.s3.amazonaws.com");
        assertThat(decoded(only())).isEqualTo("payload");
    }

    /** Its scheme is another one, with credentials of its own. */
    @Test
    void leavesS3ExpressToTheSdk() throws IOException {
        String session = "<CreateSessionResult><Credentials><AccessKeyId>session</AccessKeyId>"
                + "<SecretAccessKey>secret</SecretAccessKey><SessionToken>token</SessionToken>"
                + "<Expiration>2999-01-01T00:00:00Z</Expiration></Credentials></CreateSessionResult>";
        try (RecordingServer express = RecordingServer.answering(
                        Answer.status(200).body("application/xml", session), Answer.status(200));
                S3AsyncClient s3 = Clients.withScheme(
                        express.endpoint(),
                        builder -> toAmazon(builder, express.endpoint().getPort()))) {
            s3.putObject(put -> put.bucket("bucket--use1-az4--x-s3").key("key"), AsyncRequestBody.fromString("payload"))
                    .orTimeout(20, TimeUnit.SECONDS)
                    .join();

            RecordedRequest upload = express.requests().get(1);
            assertThat(upload.header("x-amz-s3session-token")).isEqualTo("token");
            assertThat(upload.header("authorization")).contains("Credential=session/");
            assertThat(decoded(upload)).isEqualTo("payload");
        }
    }

    private void toAmazon(S3AsyncClientBuilder builder) {
        toAmazon(builder, server.endpoint().getPort());
    }

    private static void toAmazon(S3AsyncClientBuilder builder, int port) {
        builder.endpointOverride(null).forcePathStyle(false).httpClient(new PlainHttp(Clients.NETTY, port));
    }

    /** Its scheme is another one, whose module is not here. */
    @Test
    void leavesAMultiRegionAccessPointToTheSdk() {
        try (S3AsyncClient s3 = Clients.withScheme(
                server.endpoint(), builder -> builder.endpointOverride(null).forcePathStyle(false))) {
            assertThatThrownBy(() -> s3.putObject(
                                    put -> put.bucket("arn:aws:s3::123456789012:accesspoint/mfzwi23gnjvgw.mrap")
                                            .key("key"),
                                    AsyncRequestBody.fromString("payload"))
                            .orTimeout(20, TimeUnit.SECONDS)
                            .join())
                    .hasStackTraceContaining("http-auth-aws-crt");
        }
    }

    private S3Client blocking() {
        return S3Client.builder()
                .endpointOverride(server.endpoint())
                .region(Region.US_EAST_1)
                .credentialsProvider(CREDENTIALS)
                .forcePathStyle(true)
                .putAuthScheme(ResliceAuthScheme.create())
                .build();
    }

    private void upload(Consumer<S3AsyncClientBuilder> change, String payload) {
        try (S3AsyncClient s3 = Clients.withScheme(server.endpoint(), change)) {
            s3.putObject(put -> put.bucket("bucket").key("key"), AsyncRequestBody.fromString(payload))
                    .orTimeout(20, TimeUnit.SECONDS)
                    .join();
        }
    }

    private RecordedRequest only() {
        assertThat(server.requests()).hasSize(1);
        return server.requests().get(0);
    }

    private static String decoded(RecordedRequest request) {
        return new String(ReferenceDecoder.decode(request.body()).payload(), ISO_8859_1);
    }
}
