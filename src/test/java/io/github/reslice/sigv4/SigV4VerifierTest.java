package io.github.reslice.sigv4;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SigV4VerifierTest {

    private static final String SECRET_KEY = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    private static final AwsCredentials CREDENTIALS = AwsCredentials.of("AKIAIOSFODNN7EXAMPLE", SECRET_KEY);
    private static final Instant THEN = Instant.parse("2013-05-24T00:00:00Z");
    private static final String HASH_OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    private static final String HOST = "examplebucket.s3.amazonaws.com";

    private static final String PRESIGNED = "X-Amz-Algorithm=AWS4-HMAC-SHA256"
            + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
            + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
            + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";

    private static SigV4Verifier.Builder at(Instant now) {
        return SigV4Verifier.builder().region("us-east-1").clock(Clock.fixed(now, ZoneOffset.UTC));
    }

    private static final SigV4Verifier VERIFIER = at(THEN).build();

    @Test
    void acceptsThePublishedGetObject() {
        ReceivedRequest get = published(
                        "GET",
                        "/test.txt",
                        null,
                        "host;range;x-amz-content-sha256;x-amz-date",
                        "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
                        HASH_OF_NOTHING)
                .with("Range", "bytes=0-9");

        assertThat(get.read(VERIFIER).accessKey()).isEqualTo("AKIAIOSFODNN7EXAMPLE");
        assertThatCode(() -> get.read(VERIFIER).verify(CREDENTIALS)).doesNotThrowAnyException();
    }

    @Test
    void acceptsThePublishedPutObject() {
        ReceivedRequest put = published(
                        "PUT",
                        "/test%24file.text",
                        null,
                        "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
                        "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
                        "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072")
                .with("Date", "Fri, 24 May 2013 00:00:00 GMT")
                .with("x-amz-storage-class", "REDUCED_REDUNDANCY");

        assertThatCode(() -> put.read(VERIFIER).verify(CREDENTIALS)).doesNotThrowAnyException();
        assertThat(put.read(VERIFIER).contentSha256())
                .isEqualTo("44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072");
    }

    @ParameterizedTest
    @CsvSource({
        "lifecycle, fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
        "max-keys=2&prefix=J, 34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
        "prefix=J&max-keys=2, 34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
    })
    void acceptsThePublishedQueries(String query, String signature) {
        ReceivedRequest get =
                published("GET", "/", query, "host;x-amz-content-sha256;x-amz-date", signature, HASH_OF_NOTHING);

        assertThatCode(() -> get.read(VERIFIER).verify(CREDENTIALS)).doesNotThrowAnyException();
    }

    @Test
    void acceptsThePublishedPresignedUrl() {
        PresentedSignature presented =
                presigned().read(at(THEN.plusSeconds(3600)).build());

        SignedHeaders seed = presented.verify(CREDENTIALS);

        assertThat(presented.presigned()).isTrue();
        assertThat(presented.contentSha256()).isEqualTo("UNSIGNED-PAYLOAD");
        assertThat(seed.signature()).isEqualTo("aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
        assertThat(seed.scope()).isEqualTo("20130524/us-east-1/s3/aws4_request");
        assertThat(seed.timestamp()).isEqualTo("20130524T000000Z");
        assertThat(seed.headers()).containsExactly(Map.entry("host", HOST));
        assertThat(seed.uri()).isEqualTo(URI.create("http://" + HOST + "/test.txt?" + PRESIGNED.replace("/", "%2F")));
    }

    @ParameterizedTest
    @ValueSource(ints = {-900, 0, 900, 86_400})
    void takesAPresignedUrlFromAQuarterOfAnHourBeforeItsDateToItsExpiry(int seconds) {
        SigV4Verifier then = at(THEN.plusSeconds(seconds)).build();

        assertThatCode(() -> presigned().read(then).verify(CREDENTIALS)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(ints = {-900, 0, 900})
    void takesARequestAQuarterOfAnHourOffTheClock(int seconds) {
        SigV4Verifier then = at(THEN.plusSeconds(seconds)).build();

        assertThatCode(() -> signed("http://host/b/k", Map.of()).read(then).verify(CREDENTIALS))
                .doesNotThrowAnyException();
    }

    @Test
    void givesTheSeedThatTheSenderHas() {
        SignedHeaders sent = sign("http://host:9000/b/k?x-id=PutObject", Map.of("x-amz-meta-a", "1"));

        SignedHeaders seed = ReceivedRequest.of("PUT", sent).read(VERIFIER).verify(CREDENTIALS);

        assertThat(seed.signature()).isEqualTo(sent.signature());
        assertThat(seed.timestamp()).isEqualTo(sent.timestamp());
        assertThat(seed.scope()).isEqualTo(sent.scope());
        assertThat(seed.uri()).isEqualTo(sent.uri());
        assertThat(seed.headers()).containsEntry("X-Amz-Meta-A", "1").containsEntry("HOST", "host:9000");
        assertThat(nextSignature(seed)).isEqualTo(nextSignature(sent));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
                "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
                "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
                "UNSIGNED-PAYLOAD",
                HASH_OF_NOTHING
            })
    void saysWhatIsSignedForTheBody(String contentSha256) {
        PresentedSignature presented = signed("http://host/b/k", Map.of("x-amz-content-sha256", contentSha256))
                .read(VERIFIER);

        assertThat(presented.contentSha256()).isEqualTo(contentSha256);
        assertThat(presented.presigned()).isFalse();
    }

    @Test
    void takesAnyRegionUnlessToldOtherwise() {
        SigV4Verifier verifier =
                SigV4Verifier.builder().clock(Clock.fixed(THEN, ZoneOffset.UTC)).build();

        assertThatCode(() -> signed("http://host/b/k", Map.of()).read(verifier).verify(CREDENTIALS))
                .doesNotThrowAnyException();
    }

    @Test
    void joinsSeveralValuesOfAHeaderInTheirOrder() {
        ReceivedRequest request = signed("http://host/b/k", Map.of("x-amz-meta-a", "z, y,x"));

        assertThatCode(() -> request.with("x-amz-meta-a", " z, y ", "x")
                        .read(VERIFIER)
                        .verify(CREDENTIALS))
                .doesNotThrowAnyException();
    }

    @Test
    void takesAHeadersBytesForUtf8() {
        ReceivedRequest request = signed("http://host/b/k", Map.of("x-amz-meta-a", "caf\u00e9"));

        assertThatCode(() -> request.with("x-amz-meta-a", "caf\u00c3\u00a9")
                        .read(VERIFIER)
                        .verify(CREDENTIALS))
                .doesNotThrowAnyException();
    }

    @Test
    void leavesUnicodesSpacesInAHeader() {
        ReceivedRequest request = signed("http://host/b/k", Map.of("x-amz-meta-a", "\u65e5\u3000"));

        assertThatCode(() -> request.read(VERIFIER).verify(CREDENTIALS)).doesNotThrowAnyException();
        assertThatCode(() -> request.with("x-amz-meta-a", " \t\u65e5\u3000 \t")
                        .read(VERIFIER)
                        .verify(CREDENTIALS))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/b/%61%20b", "/b/a%20%62", "/b/%61%20%62"})
    void doesNotMindHowAKeyIsWritten(String path) {
        assertThatCode(() -> signed("http://host/b/a%20b", Map.of())
                        .withPath(path)
                        .read(VERIFIER)
                        .verify(CREDENTIALS))
                .doesNotThrowAnyException();
    }

    @Test
    void readsAnAuthorizationWithoutSpacesAndInAnyOrder() {
        ReceivedRequest request = signed("http://host/b/k", Map.of())
                .withHeaderChanged("Authorization", "(Credential=.*), (SignedHeaders=.*), (Signature=.*)", "$3,$1,$2");

        assertThatCode(() -> request.read(VERIFIER).verify(CREDENTIALS)).doesNotThrowAnyException();
    }

    @Test
    void readsAnAccessKeyWithSlashes() {
        AwsCredentials credentials = AwsCredentials.of("team/AK/ID", "secret");
        SignedHeaders sent = signer().sign("PUT", URI.create("http://host/b/k"), Map.of(), credentials);

        PresentedSignature presented = ReceivedRequest.of("PUT", sent).read(VERIFIER);

        assertThat(presented.accessKey()).isEqualTo("team/AK/ID");
        assertThatCode(() -> presented.verify(credentials)).doesNotThrowAnyException();
    }

    @Test
    void acceptsTheSessionTokenOfTheCredentials() {
        AwsCredentials temporary = AwsCredentials.of("AKID", "secret", "the-token");
        SignedHeaders sent = signer().sign("PUT", URI.create("http://host/b/k"), Map.of(), temporary);

        assertThatCode(() -> ReceivedRequest.of("PUT", sent).read(VERIFIER).verify(temporary))
                .doesNotThrowAnyException();
    }

    @Test
    void doesNotVerifyWithTheCredentialsOfAnother() {
        PresentedSignature presented = signed("http://host/b/k", Map.of()).read(VERIFIER);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> presented.verify(AwsCredentials.of("OTHER", SECRET_KEY)))
                .withMessage("credentials of OTHER for a request of AKIAIOSFODNN7EXAMPLE");
    }

    @Test
    void refusesASkewBelowZeroOrAboveADay() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SigV4Verifier.builder().allowedSkew(Duration.ofSeconds(-1)))
                .withMessageContaining("PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SigV4Verifier.builder().allowedSkew(Duration.ofHours(25)))
                .withMessageContaining("PT25H");
    }

    @Test
    void refusesARegionThatWouldBreakTheScopeUp() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SigV4Verifier.builder().region("us/east"))
                .withMessageContaining("us/east");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SigV4Verifier.builder().service(""));
    }

    @Test
    void showsNoSecret() {
        AwsCredentials temporary = AwsCredentials.of("AKID", "the-secret", "the-token");
        SignedHeaders sent = signer().sign("PUT", URI.create("http://host/b/k"), Map.of(), temporary);
        PresentedSignature presented = ReceivedRequest.of("PUT", sent).read(VERIFIER);

        assertThat(presented.toString() + presented.verify(temporary) + VERIFIER)
                .contains("AKID")
                .contains("us-east-1/s3")
                .doesNotContain("the-secret")
                .doesNotContain("the-token")
                .doesNotContain(sent.signature());
    }

    private static String nextSignature(SignedHeaders seed) {
        ChunkSignatures chain = ChunkSignatures.following(seed);
        chain.endChunk();
        ByteBuffer written = ByteBuffer.allocate(ChunkSignatures.LENGTH);
        chain.writeTo(written);
        return new String(written.array(), US_ASCII);
    }

    private static SigV4 signer() {
        return SigV4.builder()
                .region("us-east-1")
                .clock(Clock.fixed(THEN, ZoneOffset.UTC))
                .build();
    }

    private static SignedHeaders sign(String uri, Map<String, String> headers) {
        return signer().sign("PUT", URI.create(uri), headers, CREDENTIALS);
    }

    private static ReceivedRequest signed(String uri, Map<String, String> headers) {
        return ReceivedRequest.of("PUT", sign(uri, headers));
    }

    private static ReceivedRequest presigned() {
        return new ReceivedRequest("GET", "/test.txt", PRESIGNED, Map.of("Host", List.of(HOST)));
    }

    private static ReceivedRequest published(
            String method, String path, String query, String signedHeaders, String signature, String contentSha256) {
        Map<String, List<String>> headers = new TreeMap<>();
        headers.put("Host", List.of(HOST));
        headers.put("x-amz-date", List.of("20130524T000000Z"));
        headers.put("x-amz-content-sha256", List.of(contentSha256));
        headers.put(
                "Authorization",
                List.of(
                        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders="
                                + signedHeaders + ",Signature=" + signature));
        return new ReceivedRequest(method, path, query, headers);
    }
}
