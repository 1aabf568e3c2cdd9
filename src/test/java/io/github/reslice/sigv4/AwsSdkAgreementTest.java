package io.github.reslice.sigv4;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;
import software.amazon.awssdk.utils.http.SdkHttpUtils;

/**
 * The AWS SDK's signer signs the same. It is given the key and the query as the SDK encodes them; ours a URI that writes
 * the same in one of the many other ways.
 */
class AwsSdkAgreementTest {

    private static final int CASES = 500;

    /** What keys are made of, beside spaces: most of it is what some encoder gets wrong. */
    private static final String[] PIECES =
            ("a Z 0 - _ . ~ / // /../ /./ + % %20 %2F %2f ( ) ! ' * , : ; = & @ $ # ? [ ]"
                            + " \" < \\ ^ ` { | \t \u00e9 e\u0301 \u20ac \u4e2d \ud83d\ude00")
                    .split(" ");

    /** What may stand for itself in a URI's path or query; of '&', '=' and '+' the query's meaning depends on it. */
    private static final String LITERAL_IN_PATH = "aZ0-_.~/+(!)'*,:;=&@$";

    private static final String LITERAL_IN_QUERY = "aZ0-_.~/+(!)'*,:;@$?";

    @Test
    void signsAsTheSdkDoes() {
        long firstSeed = 20130524;
        for (long seed = firstSeed; seed < firstSeed + CASES; seed++) {
            agrees(seed);
        }
    }

    private static void agrees(long seed) {
        Random random = new Random(seed);
        Instant now = Instant.ofEpochSecond(random.nextInt(Integer.MAX_VALUE));
        Clock clock = Clock.fixed(now, ZoneOffset.UTC);
        String region = random.nextBoolean() ? "us-east-1" : "eu-central-1";
        String authority = random.nextBoolean() ? "127.0.0.1:9000" : "bucket.s3.example.com";
        String key = text(random, 12);
        List<Map.Entry<String, String>> query = query(random);
        Map<String, String> headers = headers(random);
        boolean temporary = random.nextBoolean();

        SdkHttpRequest.Builder request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.PUT)
                .uri(URI.create("http://" + authority))
                .encodedPath("/bucket/" + SdkHttpUtils.urlEncodeIgnoreSlashes(key));
        query.forEach(parameter -> request.appendRawQueryParameter(parameter.getKey(), parameter.getValue()));
        headers.forEach(request::putHeader);
        AwsCredentialsIdentity identity = temporary
                ? AwsSessionCredentialsIdentity.create("AKID", "secret", "token")
                : AwsCredentialsIdentity.create("AKID", "secret");
        String theirs = AwsV4HttpSigner.create()
                .sign(sign -> sign.identity(identity)
                        .request(request.build())
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                        .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                        .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                        .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false)
                        .putProperty(AwsV4HttpSigner.SIGNING_CLOCK, clock))
                .request()
                .firstMatchingHeader("Authorization")
                .orElseThrow();

        URI uri = URI.create(
                "http://" + authority + "/bucket/" + write(key, LITERAL_IN_PATH, random) + writeQuery(query, random));
        SigV4 sigv4 = SigV4.builder().region(region).clock(clock).build();
        AwsCredentials credentials =
                temporary ? AwsCredentials.of("AKID", "secret", "token") : AwsCredentials.of("AKID", "secret");
        Map<String, String> given = new LinkedHashMap<>(headers);
        given.putIfAbsent("x-amz-content-sha256", "UNSIGNED-PAYLOAD");
        SignedHeaders ours = sigv4.sign("PUT", uri, given, credentials);

        assertThat(ours.headers().get("Authorization"))
                .as("seed %d, %s, %s", seed, uri, headers)
                .isEqualTo(theirs);
        assertThat(sigv4.sign("PUT", ours.uri(), given, credentials).signature())
                .as("what is sent, seed %d, %s", seed, uri)
                .isEqualTo(ours.signature());
    }

    private static String text(Random random, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = 1 + random.nextInt(most); i > 0; i--) {
            text.append(random.nextInt(8) == 0 ? " " : PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }

    private static List<Map.Entry<String, String>> query(Random random) {
        List<Map.Entry<String, String>> query = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            query.add(Map.entry(text(random, 3), random.nextInt(4) == 0 ? "" : text(random, 4)));
        }
        return query;
    }

    private static Map<String, String> headers(Random random) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            headers.put("X-Amz-Meta-" + (char) ('a' + i), " \t" + text(random, 5) + "  b \t " + text(random, 2));
        }
        if (random.nextBoolean()) {
            headers.put("Content-Type", "text/plain; charset=utf-8");
        }
        if (random.nextBoolean()) {
            headers.put("Content-Length", "" + random.nextInt());
        }
        if (random.nextBoolean()) {
            headers.put("User-Agent", "not signed");
        }
        return headers;
    }

    /** Percent-encodes what must be, and some of what need not, in either case. */
    private static String write(String text, String literal, Random random) {
        StringBuilder written = new StringBuilder();
        text.codePoints().forEach(c -> {
            boolean mayStand = literal.indexOf(c) >= 0 || c >= 0xa1;
            if (mayStand && random.nextInt(3) > 0) {
                written.appendCodePoint(c);
                return;
            }
            for (byte b : Character.toString(c).getBytes(UTF_8)) {
                String escape = "%%%02x".formatted(b & 0xff);
                written.append(random.nextBoolean() ? escape : escape.toUpperCase(Locale.ROOT));
            }
        });
        return written.toString();
    }

    private static String writeQuery(List<Map.Entry<String, String>> query, Random random) {
        StringBuilder written = new StringBuilder();
        query.forEach(parameter -> {
            written.append(written.isEmpty() ? '?' : '&').append(write(parameter.getKey(), LITERAL_IN_QUERY, random));
            if (!parameter.getValue().isEmpty() || random.nextBoolean()) {
                written.append('=').append(write(parameter.getValue(), LITERAL_IN_QUERY, random));
            }
        });
        return written.toString();
    }
}
