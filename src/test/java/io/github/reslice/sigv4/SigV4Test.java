package io.github.reslice.sigv4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SigV4Test {

    private static final String SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    private static final String SIGNING_KEY = "dbb893acc010964918f1fd433add87c70e8b0db6be30c1fbeafefa5ec6ba8378";
    private static final String TOKEN = "FwoGZXIvYXdzEXAMPLETOKEN==";
    private static final AwsCredentials CREDENTIALS = AwsCredentials.of("AKIAIOSFODNN7EXAMPLE", SECRET);
    private static final AwsCredentials TEMPORARY = AwsCredentials.of("AKIAIOSFODNN7EXAMPLE", SECRET, TOKEN);
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2013-05-24T00:00:00Z"), ZoneOffset.UTC);
    private static final SigV4 S3 =
            SigV4.builder().region("us-east-1").clock(CLOCK).build();
    private static final URI KEY = URI.create("http://127.0.0.1:9000/bucket/key");

    // the S3 API reference's two examples of a chunked upload; their seed signatures

    @Test
    void signsTheReferencesChunkedUpload() {
        SignedHeaders seed = S3.sign(
                "PUT",
                URI.create("https://s3.amazonaws.com/examplebucket/chunkObject.txt"),
                Map.of(
                        "content-encoding", "aws-chunked",
                        "content-length", "66824",
                        "x-amz-content-sha256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
                        "x-amz-decoded-content-length", "66560",
                        "x-amz-storage-class", "REDUCED_REDUNDANCY"),
                CREDENTIALS);

        assertThat(seed.signature()).isEqualTo("4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9");
    }

    @Test
    void signsTheReferencesChunkedUploadWithTrailer() {
        SignedHeaders seed = S3.sign(
                "PUT",
                URI.create("https://s3.amazonaws.com/examplebucket/chunkObject.txt"),
                Map.of(
                        "Content-Encoding", "aws-chunked",
                        "x-amz-content-sha256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
                        "x-amz-decoded-content-length", "66560",
                        "x-amz-storage-class", "REDUCED_REDUNDANCY",
                        "x-amz-trailer", "x-amz-checksum-crc32c"),
                CREDENTIALS);

        assertThat(seed.signature()).isEqualTo("106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e");
    }

    @Test
    void keepsWhatTheChunksSignaturesStartFrom() {
        SignedHeaders seed = S3.sign("PUT", KEY, Map.of(), CREDENTIALS);
        String emptyHash = CanonicalRequest.EMPTY_HASH;
        String chunkHash = "bf718b6f653bebc184e1479f1935b8da974d701b893afcf49e701f3e2f9f9c5a"; // 65536 times 'a'

        // the reference's first chunk, after its own seed
        String signature = seed.signingKey()
                .sign(String.join(
                        "\n",
                        "AWS4-HMAC-SHA256-PAYLOAD",
                        seed.timestamp(),
                        seed.scope(),
                        "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9",
                        emptyHash,
                        chunkHash));

        assertThat(signature).isEqualTo("ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648");
    }

    // headers

    @Test
    void sendsTheGivenHeadersAndTheSignatures() {
        SignedHeaders signed = S3.sign("PUT", KEY, Map.of("Content-Type", "text/plain"), CREDENTIALS);

        assertThat(signed.headers())
                .containsOnlyKeys("Authorization", "Content-Type", "x-amz-content-sha256", "x-amz-date")
                .containsEntry("Content-Type", "text/plain")
                .containsEntry("x-amz-content-sha256", "UNSIGNED-PAYLOAD")
                .containsEntry("x-amz-date", "20130524T000000Z");
        assertThat(signed.headers().get("Authorization"))
                .startsWith("AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                        + " SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date, Signature=")
                .endsWith(signed.signature());
    }

    @Test
    void findsAHeaderInEitherCase() {
        assertThat(S3.sign("PUT", KEY, Map.of(), CREDENTIALS).headers().get("X-AMZ-DATE"))
                .isEqualTo("20130524T000000Z");
    }

    @Test
    void returnsHeadersThatCannotBeChanged() {
        assertThat(S3.sign("PUT", KEY, Map.of(), CREDENTIALS).headers()).isUnmodifiable();
    }

    @Test
    void leavesTheGivenHeadersAlone() {
        Map<String, String> given = new HashMap<>(Map.of("Authorization", "old", "Host", "h", "x-amz-date", "old"));
        Map<String, String> before = Map.copyOf(given);

        S3.sign("PUT", KEY, given, CREDENTIALS);

        assertThat(given).isEqualTo(before);
    }

    @Test
    void signsAContentLengthButLeavesItToTheClient() {
        SignedHeaders signed = S3.sign("PUT", KEY, Map.of("Content-Length", "5"), CREDENTIALS);

        assertThat(signed.headers()).doesNotContainKey("Content-Length");
        assertThat(signedNames(signed)).contains("content-length");
    }

    @Test
    void signsAGivenHostButLeavesItToTheClient() {
        SignedHeaders signed = S3.sign("PUT", KEY, Map.of("Host", "s3.example.com"), CREDENTIALS);

        assertThat(signed.headers()).doesNotContainKey("Host");
        assertThat(signed.signature())
                .isEqualTo(S3.sign("PUT", URI.create("http://s3.example.com/bucket/key"), Map.of(), CREDENTIALS)
                        .signature());
    }

    @Test
    void neitherSignsNorReturnsWhatBelongsToTheConnection() {
        Map<String, String> given = Map.of(
                "Transfer-Encoding", "chunked",
                "Connection", "close",
                "Expect", "100-continue",
                "Upgrade", "h2c");

        assertThat(S3.sign("PUT", KEY, given, CREDENTIALS).headers())
                .isEqualTo(S3.sign("PUT", KEY, Map.of(), CREDENTIALS).headers());
    }

    @Test
    void returnsWhatProxiesChangeButDoesNotSignIt() {
        SignedHeaders signed =
                S3.sign("PUT", KEY, Map.of("User-Agent", "me", "X-Amzn-Trace-Id", "Root=1"), CREDENTIALS);

        assertThat(signed.headers()).containsEntry("User-Agent", "me").containsEntry("X-Amzn-Trace-Id", "Root=1");
        assertThat(signedNames(signed)).isEqualTo("host;x-amz-content-sha256;x-amz-date");
    }

    @Test
    void signsSignedHeadersAgainToTheSame() {
        Map<String, String> given = Map.of("content-type", "text/plain", "x-amz-meta-a", "b");
        SignedHeaders first = S3.sign("PUT", KEY, given, TEMPORARY);

        SignedHeaders second = S3.sign("PUT", first.uri(), first.headers(), TEMPORARY);

        assertThat(second.headers()).isEqualTo(first.headers());
    }

    @Test
    void replacesAnEarlierSignature() {
        SigV4 earlier = SigV4.builder()
                .region("eu-west-1")
                .clock(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC))
                .build();
        SignedHeaders old = earlier.sign("PUT", KEY, Map.of(), TEMPORARY);

        SignedHeaders signed = S3.sign("PUT", KEY, old.headers(), CREDENTIALS);

        assertThat(signed.headers())
                .isEqualTo(S3.sign("PUT", KEY, Map.of(), CREDENTIALS).headers());
    }

    @Test
    void replacesAnEarlierSignatureWrittenInAnotherCase() {
        Map<String, String> old =
                Map.of("AUTHORIZATION", "old", "X-Amz-Date", "20000101T000000Z", "X-Amz-Security-Token", "old");

        assertThat(S3.sign("PUT", KEY, old, TEMPORARY).headers())
                .isEqualTo(S3.sign("PUT", KEY, Map.of(), TEMPORARY).headers());
    }

    @Test
    void sendsAndSignsTheSessionToken() {
        SignedHeaders signed = S3.sign("PUT", KEY, Map.of(), TEMPORARY);

        assertThat(signed.headers()).containsEntry("x-amz-security-token", TOKEN);
        assertThat(signedNames(signed)).isEqualTo("host;x-amz-content-sha256;x-amz-date;x-amz-security-token");
    }

    @Test
    void signsTheGivenContentSha256() {
        SignedHeaders unsigned = S3.sign("PUT", KEY, Map.of(), CREDENTIALS);
        SignedHeaders same = S3.sign("PUT", KEY, Map.of("X-Amz-Content-SHA256", "UNSIGNED-PAYLOAD"), CREDENTIALS);
        SignedHeaders trailer =
                S3.sign("PUT", KEY, Map.of("x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"), CREDENTIALS);

        assertThat(same.signature()).isEqualTo(unsigned.signature());
        assertThat(trailer.signature()).isNotEqualTo(unsigned.signature());
        assertThat(trailer.headers()).containsEntry("x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER");
    }

    @Test
    void addsNoContentSha256ForAnotherService() {
        SigV4 other = SigV4.builder().region("us-east-1").service("sqs").build();

        assertThat(other.sign("GET", KEY, Map.of(), CREDENTIALS).headers())
                .containsOnlyKeys("Authorization", "x-amz-date");
    }

    @Test
    void signsS3ByDefault() {
        assertThat(S3.sign("PUT", KEY, Map.of(), CREDENTIALS).scope()).isEqualTo("20130524/us-east-1/s3/aws4_request");
    }

    @Test
    void takesTheDayInUtcWhateverTheClocksZone() {
        Clock tokyo = Clock.fixed(Instant.parse("2013-05-23T23:59:59Z"), ZoneId.of("Asia/Tokyo"));
        SigV4 sigv4 = SigV4.builder().region("us-east-1").clock(tokyo).build();

        SignedHeaders signed = sigv4.sign("PUT", KEY, Map.of(), CREDENTIALS);

        assertThat(signed.timestamp()).isEqualTo("20130523T235959Z");
        assertThat(signed.scope()).startsWith("20130523/");
    }

    // errors

    @Test
    void refusesAControlCharacterInAHeader() {
        for (String value : new String[] {"a\r\nb", "a\nb", "a\rb", "a\0b", "a\u007fb"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> S3.sign("PUT", KEY, Map.of("x-amz-meta-a", value), CREDENTIALS))
                    .withMessageContaining("x-amz-meta-a")
                    .withMessageContaining("0x%02x at index 1".formatted((int) value.charAt(1)));
        }
    }

    @Test
    void refusesAHeaderNameThatIsNoToken() {
        for (String name : new String[] {"", " ", "a b", "a:b", "a\nb", "\u00e9"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> S3.sign("PUT", KEY, Map.of(name, "v"), CREDENTIALS))
                    .withMessageContaining("header name '" + name + "'");
        }
    }

    @Test
    void refusesTwoHeadersThatDifferInCaseOnly() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> S3.sign("PUT", KEY, Map.of("A", "1", "a", "2"), CREDENTIALS))
                .withMessageContaining("twice");
    }

    @Test
    void refusesABlankContentSha256() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> S3.sign("PUT", KEY, Map.of("x-amz-content-sha256", " "), CREDENTIALS))
                .withMessageContaining("x-amz-content-sha256 is blank");
    }

    @Test
    void refusesAMethodThatIsNoToken() {
        for (String method : new String[] {"", "PUT /", "PUT\n"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> S3.sign(method, KEY, Map.of(), CREDENTIALS))
                    .withMessageContaining("method '" + method + "'");
        }
    }

    @Test
    void refusesARegionOrServiceThatDoesNotFitAScope() {
        for (String value : new String[] {"", " ", "a/b", "a b", "a,b", "a\n"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> SigV4.builder().region(value))
                    .withMessageContaining("region '" + value + "'");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> SigV4.builder().service(value))
                    .withMessageContaining("service '" + value + "'");
        }
    }

    @Test
    void refusesToBuildWithoutARegion() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SigV4.builder().build())
                .withMessageContaining("region");
    }

    // secrets

    @Test
    void showsNoSecretInAnyToString() {
        SignedHeaders signed = S3.sign("PUT", KEY, Map.of("x-amz-meta-a", "b"), TEMPORARY);
        CanonicalRequest request = CanonicalRequest.of("PUT", RequestTarget.of(KEY), signed.headers(), "hash");

        for (Object shown : new Object[] {S3, TEMPORARY, signed, signed.signingKey(), request}) {
            assertThat(shown.toString())
                    .doesNotContain(SECRET, SIGNING_KEY, TOKEN, signed.signature())
                    .doesNotContain("@"); // nobody forgot to write one
        }
    }

    private static String signedNames(SignedHeaders signed) {
        return signed.headers().get("Authorization").replaceFirst(".*SignedHeaders=([^,]*),.*", "$1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/b/k?X-Amz-Security-Token=TOKENTOKEN",
                "http:b/k?X-Amz-Security-Token=TOKENTOKEN",
                "http://my_bucket/k?X-Amz-Security-Token=TOKENTOKEN",
                "s3://b/k?X-Amz-Security-Token=TOKENTOKEN&X-Amz-Signature=TOKENTOKEN",
                "//b/k?X-Amz-Signature=TOKENTOKEN",
                "http://me:password@b/k?X-Amz-Signature=TOKENTOKEN"
            })
    void showsNoQueryOfAUriThatItRefuses(String uri) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> S3.sign("GET", URI.create(uri), Map.of(), CREDENTIALS))
                .withMessageNotContaining("TOKENTOKEN")
                .withNoCause();
    }
}
