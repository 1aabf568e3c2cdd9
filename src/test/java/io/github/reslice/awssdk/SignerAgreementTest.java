package io.github.reslice.awssdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.Effort;
import io.github.reslice.awschunked.Sliced;
import io.github.reslice.checksum.RunningChecksum;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.checksums.DefaultChecksumAlgorithm;
import software.amazon.awssdk.checksums.spi.ChecksumAlgorithm;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignRequest;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;
import software.amazon.awssdk.utils.http.SdkHttpUtils;

/** The AWS SDK's own signer gives the same headers and the same body, whatever the request asks for. */
class SignerAgreementTest {

    /** Those that the SDK computes without its native library; null is no checksum. */
    private static final List<ChecksumAlgorithm> ALGORITHMS = List.of(
            DefaultChecksumAlgorithm.CRC32,
            DefaultChecksumAlgorithm.CRC32C,
            DefaultChecksumAlgorithm.SHA1,
            DefaultChecksumAlgorithm.SHA256,
            DefaultChecksumAlgorithm.SHA512,
            DefaultChecksumAlgorithm.MD5);

    private static final List<String> KEYS =
            List.of("key", "a/b", "//", "a b+c", "ü~*'()!@:$,;=&", "..", "100%", "%2f", "a?b#c");

    @Test
    void randomRequestsAreSignedAndEncodedTheSame() {
        AwsV4HttpSigner ours = ResliceAuthScheme.create().signer();
        AwsV4HttpSigner theirs = AwsV4HttpSigner.create();
        for (int seed = 0; seed < Effort.cases(1_000, 20_000); seed++) {
            // each has buffers of its own, since the SDK's signer reads them by moving their positions
            Sent sent = sent(ours, request(new Random(seed)));

            assertThat(sent).as("random case with seed %s", seed).isEqualTo(sent(theirs, request(new Random(seed))));
        }
    }

    /** What goes over the wire. */
    private record Sent(
            String target,
            Map<String, List<String>> headers,
            @Nullable String body) {}

    private static Sent sent(AwsV4HttpSigner signer, AsyncSignRequest<AwsCredentialsIdentity> request) {
        AsyncSignedRequest signed = signer.signAsync(request).join();
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(signed.request().headers());
        String body = signed.payload()
                .map(payload -> Sliced.join(Flux.from(payload).toIterable()))
                .map(SignerAgreementTest::summary)
                .orElse(null);
        return new Sent(signed.request().method() + " " + signed.request().getUri(), headers, body);
    }

    private static String summary(byte[] body) {
        RunningChecksum hash = io.github.reslice.checksum.ChecksumAlgorithm.SHA256.start();
        hash.update(ByteBuffer.wrap(body));
        return body.length + " bytes with the hash " + hash.base64();
    }

    private static AsyncSignRequest<AwsCredentialsIdentity> request(Random random) {
        byte[] payload = new byte[oneIn(random, 10) ? random.nextInt(500_000) : random.nextInt(3_000)];
        random.nextBytes(payload);
        boolean hasBody = !oneIn(random, 10);
        AsyncSignRequest.Builder<AwsCredentialsIdentity> request = AsyncSignRequest.builder(identity(random))
                .request(http(random, hasBody ? payload.length : 0))
                .putProperty(AwsV4HttpSigner.REGION_NAME, oneIn(random, 2) ? "us-east-1" : "eu-central-2")
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, oneIn(random, 4) ? "s3-outposts" : "s3")
                .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, oneIn(random, 20))
                .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, oneIn(random, 20))
                .putProperty(AwsV4HttpSigner.CHUNK_ENCODING_ENABLED, !oneIn(random, 8))
                .putProperty(
                        AwsV4HttpSigner.SIGNING_CLOCK,
                        Clock.fixed(Instant.ofEpochSecond(random.nextInt(Integer.MAX_VALUE)), ZoneOffset.UTC));
        if (hasBody) {
            request.payload(Sliced.atRandom(payload, random).flux());
        }
        if (!oneIn(random, 5)) {
            request.putProperty(AwsV4HttpSigner.CHECKSUM_ALGORITHM, ALGORITHMS.get(random.nextInt(ALGORITHMS.size())));
        }
        if (!oneIn(random, 3)) {
            request.putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, oneIn(random, 2));
        }
        return request.build();
    }

    private static SdkHttpRequest http(Random random, int length) {
        boolean encrypted = oneIn(random, 2);
        SdkHttpRequest.Builder http = SdkHttpRequest.builder()
                .method(SdkHttpMethod.PUT)
                .protocol(encrypted ? "https" : "http")
                .host(oneIn(random, 2) ? "127.0.0.1" : "bucket.s3.amazonaws.com")
                .encodedPath("/bucket/" + SdkHttpUtils.urlEncodeIgnoreSlashes(KEYS.get(random.nextInt(KEYS.size()))))
                .putHeader("Content-Length", Integer.toString(length))
                .putHeader("User-Agent", "sdk")
                .putHeader("X-Amzn-Trace-Id", "1");
        if (oneIn(random, 2)) {
            http.port(9000);
        }
        if (oneIn(random, 3)) {
            http.putRawQueryParameter("partNumber", "1").putRawQueryParameter("uploadId", "a+b/c=");
        }
        if (oneIn(random, 5)) {
            http.putHeader("Host", "proxy.example:8080");
        }
        if (oneIn(random, 3)) {
            http.putHeader("Content-Encoding", "gzip");
        }
        if (oneIn(random, 3)) {
            http.putHeader("x-amz-meta-name", "  two   words ").putHeader("Content-Type", "text/plain; charset=utf-8");
        }
        if (oneIn(random, 5)) {
            http.putHeader("x-amz-meta-list", List.of(" a  b ", "\tc"));
        }
        if (oneIn(random, 5)) {
            http.putHeader("Expect", "100-continue").putHeader("X-Forwarded-For", "10.0.0.1");
        }
        if (oneIn(random, 10) && length > 0) {
            http.putHeader("x-amz-decoded-content-length", Integer.toString(length))
                    .putHeader("Content-Length", "1");
        }
        if (oneIn(random, 10)
                && !encrypted) { // where payloads are signed, the SDK announces a trailer for it and sends none
            http.putHeader("x-amz-checksum-crc32", "AAAAAA==");
        }
        if (oneIn(random, 10)) {
            http.putHeader("x-amz-trailer", "x-amz-meta-sum").putHeader("x-amz-meta-sum", "12");
        }
        return http.build();
    }

    private static AwsCredentialsIdentity identity(Random random) {
        String secretKey = Long.toString(random.nextLong(), 36);
        return oneIn(random, 3)
                ? AwsSessionCredentialsIdentity.create("AKIAIOSFODNN7EXAMPLE", secretKey, " token+/=\n")
                : AwsCredentialsIdentity.create(" AKIAIOSFODNN7EXAMPLE", secretKey + "\n");
    }

    private static boolean oneIn(Random random, int n) {
        return random.nextInt(n) == 0;
    }
}
