package io.github.reslice.sigv4;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.reslice.sigv4.SignatureRefusedException.Reason;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.utils.http.SdkHttpUtils;

/** What the AWS SDK signs and presigns, and what Reslice signs, is accepted for every kind of key; a changed byte is not. */
class SigV4VerifierAgreementTest {

    private static final int CASES = 300;
    private static final String[] PIECES = ("a Z 0 - _ . ~ / // /../ /./ .. + % %20 %2F ( ) ! ' * , : ; = & @ $ # ? [ ]"
                    + " \" < \\ ^ ` { | \u00e9 e\u0301 \u20ac \u4e2d \ud83d\ude00")
            .split(" ");

    private static final Instant NOW = Instant.parse("2026-02-28T23:59:59Z");
    private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    private static final SigV4Verifier VERIFIER =
            SigV4Verifier.builder().region("eu-central-1").clock(CLOCK).build();

    private static final AwsCredentials OURS = AwsCredentials.of("AKID", "secret");

    @Test
    void acceptsWhatTheSdksSignerSigns() {
        forManyKeys((random, key) -> {
            SdkHttpRequest request = SdkHttpRequest.builder()
                    .method(SdkHttpMethod.PUT)
                    .uri(URI.create("http://127.0.0.1:9000"))
                    .encodedPath("/bucket/" + SdkHttpUtils.urlEncodeIgnoreSlashes(key))
                    .appendRawQueryParameter("x y", key)
                    .appendRawQueryParameter("acl", null)
                    .putHeader("x-amz-meta-a", " some   text ")
                    .build();
            SdkHttpRequest signed = AwsV4HttpSigner.create()
                    .sign(sign -> sign.identity(AwsCredentialsIdentity.create("AKID", "secret"))
                            .request(request)
                            .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                            .putProperty(AwsV4HttpSigner.REGION_NAME, "eu-central-1")
                            .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                            .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                            .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false)
                            .putProperty(AwsV4HttpSigner.SIGNING_CLOCK, CLOCK))
                    .request();
            return new ReceivedRequest(
                    "PUT", signed.encodedPath(), signed.encodedQueryParameters().orElse(null), signed.headers());
        });
    }

    @Test
    void acceptsWhatResliceSigns() {
        SigV4 sigv4 = SigV4.builder().region("eu-central-1").clock(CLOCK).build();
        forManyKeys((random, key) -> {
            String written = "/b/" + percentEncoded(key, "-_.~/");
            URI uri = URI.create("http://host:9000" + written + "?x-id=PutObject&p=" + percentEncoded(key, ""));
            return ReceivedRequest.of(
                    "PUT", sigv4.sign("PUT", uri, Map.of("x-amz-content-sha256", "UNSIGNED-PAYLOAD"), OURS));
        });
    }

    /** What comes may write a key in another way than what was signed: both mean the same bytes. */
    @Test
    void acceptsAnotherSpellingOfWhatWasSigned() {
        SigV4 sigv4 = SigV4.builder().region("eu-central-1").clock(CLOCK).build();
        forManyKeys((random, key) -> {
            URI uri = URI.create("http://host/b/" + percentEncoded(key, "-_.~/"));
            return ReceivedRequest.of("PUT", sigv4.sign("PUT", uri, Map.of(), OURS))
                    .withPath("/b/" + percentEncoded(key, "~/!'()*+,;:=@$&").replace("Z", "%5A"));
        });
    }

    @Test
    void acceptsWhatTheSdksPresignerPresigns() {
        try (S3Presigner presigner = presigner(AwsBasicCredentials.create("AKID", "secret"))) {
            SigV4Verifier now = SigV4Verifier.builder().region("eu-central-1").build();
            for (String key :
                    List.of("a", "a b+c%(d)!'*,:;=&@$#?[]", "\u00e9/e\u0301/\u4e2d", "a//b", "a/../b/./c", "~")) {
                for (ReceivedRequest request : List.of(
                        of(presigner
                                .presignGetObject(get -> get.signatureDuration(Duration.ofMinutes(5))
                                        .getObjectRequest(
                                                r -> r.bucket("bucket").key(key)))
                                .httpRequest()),
                        of(presigner
                                .presignPutObject(put -> put.signatureDuration(Duration.ofDays(7))
                                        .putObjectRequest(r -> r.bucket("bucket")
                                                .key(key)
                                                .metadata(Map.of("a", "some text"))
                                                .contentType("text/plain")))
                                .httpRequest()),
                        of(presigner
                                .presignUploadPart(part -> part.signatureDuration(Duration.ofSeconds(100))
                                        .uploadPartRequest(r -> r.bucket("bucket")
                                                .key(key)
                                                .uploadId("u+/=")
                                                .partNumber(1)))
                                .httpRequest()))) {
                    PresentedSignature presented = request.read(now);
                    presented.verify(OURS);
                    assertThat(presented.presigned()).isTrue();
                    assertThat(presented.contentSha256()).isEqualTo("UNSIGNED-PAYLOAD");
                }
            }
        }
    }

    @Test
    void acceptsWhatTheSdksPresignerPresignsWithASessionToken() {
        try (S3Presigner presigner = presigner(AwsSessionCredentials.create("AKID", "secret", "to+k/en="))) {
            ReceivedRequest request = of(presigner
                    .presignGetObject(get -> get.signatureDuration(Duration.ofMinutes(5))
                            .getObjectRequest(r -> r.bucket("bucket").key("key")))
                    .httpRequest());
            PresentedSignature presented = request.read(SigV4Verifier.builder().build());

            assertThat(presented
                            .verify(AwsCredentials.of("AKID", "secret", "to+k/en="))
                            .signature())
                    .hasSize(64);
            assertThat(catchThrowable(() -> presented.verify(OURS)))
                    .isInstanceOfSatisfying(
                            SignatureRefusedException.class,
                            e -> assertThat(e.reason()).isEqualTo(Reason.WRONG_TOKEN));
        }
    }

    private interface Signing {
        ReceivedRequest sign(Random random, String key);
    }

    private static void forManyKeys(Signing signing) {
        long firstSeed = 20260228;
        for (long seed = firstSeed; seed < firstSeed + CASES; seed++) {
            Random random = new Random(seed);
            String key = key(random);
            ReceivedRequest request = signing.sign(random, key);

            assertThat(catchThrowable(() -> request.read(VERIFIER).verify(OURS)))
                    .as("seed %d, %s", seed, request)
                    .isNull();
            ReceivedRequest changed = request.withPath(changed(request.path(), random));
            assertThat(catchThrowable(() -> changed.read(VERIFIER).verify(OURS)))
                    .as("seed %d, %s instead of %s", seed, changed.path(), request.path())
                    .isInstanceOf(SignatureRefusedException.class);
        }
    }

    private static String key(Random random) {
        StringBuilder key = new StringBuilder();
        for (int i = 1 + random.nextInt(10); i > 0; i--) {
            key.append(random.nextInt(8) == 0 ? " " : PIECES[random.nextInt(PIECES.length)]);
        }
        return key.toString();
    }

    /** Another key, by what is put in, left out or collapsed. */
    private static String changed(String path, Random random) {
        int at = 1 + random.nextInt(path.length() - 1);
        while (path.lastIndexOf('%', at) > at - 3 && path.lastIndexOf('%', at) >= 0) {
            at--;
        }
        String inserted = List.of("/", "x", ".", "/.", "/..", "%00", "+").get(random.nextInt(7));
        return path.substring(0, at) + inserted + path.substring(at);
    }

    private static String percentEncoded(String text, String kept) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(UTF_8)) {
            boolean alphanumeric = (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9');
            encoded.append(alphanumeric || kept.indexOf(b) >= 0 ? "" + (char) b : "%%%02x".formatted(b));
        }
        return encoded.toString();
    }

    private static S3Presigner presigner(software.amazon.awssdk.auth.credentials.AwsCredentials credentials) {
        AwsCredentialsProvider provider = StaticCredentialsProvider.create(credentials);
        return S3Presigner.builder()
                .endpointOverride(URI.create("http://127.0.0.1:9000"))
                .region(Region.of("eu-central-1"))
                .credentialsProvider(provider)
                .serviceConfiguration(
                        S3Configuration.builder().pathStyleAccessEnabled(true).build())
                .build();
    }

    private static ReceivedRequest of(SdkHttpRequest sent) {
        Map<String, List<String>> headers = new TreeMap<>();
        sent.headers().forEach((name, values) -> headers.put(name, new ArrayList<>(values)));
        return new ReceivedRequest(
                sent.method().name(),
                sent.encodedPath(),
                sent.encodedQueryParameters().orElse(null),
                headers);
    }
}
