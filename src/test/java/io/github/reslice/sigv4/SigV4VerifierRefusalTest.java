package io.github.reslice.sigv4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.reslice.sigv4.SignatureRefusedException.Reason;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One good request and one good URL, and each thing that can be wrong with them. */
class SigV4VerifierRefusalTest {

    private static final String SECRET_KEY = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    private static final AwsCredentials CREDENTIALS = AwsCredentials.of("AKIAIOSFODNN7EXAMPLE", SECRET_KEY);
    private static final AwsCredentials TEMPORARY = AwsCredentials.of("AKIAIOSFODNN7EXAMPLE", SECRET_KEY, "the-token");
    private static final Instant NOW = Instant.parse("2013-05-24T00:00:00Z");

    private static final SigV4Verifier VERIFIER = at(NOW);

    private static final ReceivedRequest SIGNED = signed(CREDENTIALS);

    private static final ReceivedRequest PRESIGNED = new ReceivedRequest(
            "GET",
            "/test.txt",
            "X-Amz-Algorithm=AWS4-HMAC-SHA256"
                    + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
                    + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                    + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
            Map.of("Host", List.of("examplebucket.s3.amazonaws.com")));

    @Test
    void bothAreGoodAsTheyStand() {
        SIGNED.read(VERIFIER).verify(CREDENTIALS);
        PRESIGNED.read(VERIFIER).verify(CREDENTIALS);
    }

    @Test
    void refusesARequestWithoutSignature() {
        assertThat(refusal(SIGNED.without("Authorization"))).isEqualTo(Reason.NO_CREDENTIALS);
    }

    @Test
    void refusesTwoAuthorizationHeaders() {
        String value = SIGNED.headers().get("Authorization").get(0);

        assertThat(refusal(SIGNED.with("Authorization", value, value))).isEqualTo(Reason.SEVERAL_CREDENTIALS);
        assertThat(refusal(SIGNED.with("authorization", value))).isEqualTo(Reason.SEVERAL_CREDENTIALS);
    }

    @Test
    void refusesASignatureInTheHeaderAndOneInTheQuery() {
        assertThat(refusal(SIGNED.withQuery(PRESIGNED.query()))).isEqualTo(Reason.SEVERAL_CREDENTIALS);
        assertThat(refusal(SIGNED.withQuery("X-Amz-Signature="))).isEqualTo(Reason.SEVERAL_CREDENTIALS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Basic dXNlcjpwYXNz", "Bearer abc", "AWS4-HMAC-SHA512 Credential=a", "", "aws4-hmac-sha256 x"})
    void refusesAnAuthorizationOfAnotherKind(String authorization) {
        assertThat(refusal(SIGNED.with("Authorization", authorization))).isEqualTo(Reason.UNKNOWN_AUTHORIZATION);
    }

    @Test
    void refusesSignatureVersion2() {
        assertThat(refusal(SIGNED.with("Authorization", "AWS AKIAIOSFODNN7EXAMPLE:c2lnbmF0dXJl")))
                .isEqualTo(Reason.UNSUPPORTED_SIGNATURE);
        assertThat(refusal(PRESIGNED.withQuery("AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE&Expires=1&Signature=abc")))
                .isEqualTo(Reason.UNSUPPORTED_SIGNATURE);
    }

    @Test
    void refusesAnAsymmetricSignature() {
        assertThat(refusal(SIGNED.withHeaderChanged("Authorization", "HMAC-SHA256", "ECDSA-P256-SHA256")))
                .isEqualTo(Reason.UNSUPPORTED_SIGNATURE);
        assertThat(refusal(PRESIGNED.withQueryChanged("HMAC-SHA256", "ECDSA-P256-SHA256")))
                .isEqualTo(Reason.UNSUPPORTED_SIGNATURE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Credential=[^,]+, | ''",
                "SignedHeaders=[^,]+, | ''",
                ", Signature=.* | ''",
                "$ | ,",
                "$ | , Extra=1",
                "$ | , Signature=0",
                "256 .* | 256",
                "AKIAIOSFODNN7EXAMPLE/ | ''",
                "AKIAIOSFODNN7EXAMPLE | ''",
                "/aws4_request | ''",
                "/aws4_request | /aws4",
                "/aws4_request | /aws4_request/x",
                "/20130524/ | /2013052/",
                "/20130524/ | /20130523/",
                "/us-east-1/ | //",
                "/us-east-1/ | /eu-west-1/",
                "/s3/ | /sts/",
                "host;x-amz | x-amz",
                "host;x-amz-content-sha256 | x-amz-content-sha256;host",
                "host; | host;host;",
                "host; | host;;",
                "host; | Host;",
                "host; | expect;host;",
                "Signature=. | Signature=",
                "Signature= | Signature=0",
                "Signature=. | Signature=g",
                "Signature=. | Signature=A"
            })
    void refusesAnAuthorizationThatIsMalformedOrForAnother(String regex, String replacement) {
        Reason reason = refusal(SIGNED.withHeaderChanged("Authorization", regex, replacement));

        assertThat(reason).isIn(Reason.MALFORMED_HEADER, Reason.HEADER_NOT_SIGNED);
        assertThat(reason == Reason.HEADER_NOT_SIGNED).isEqualTo(regex.equals("host;x-amz"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "X-Amz-Algorithm=[^&]+& | ''",
                "X-Amz-Credential=[^&]+& | ''",
                "X-Amz-Date=[^&]+& | ''",
                "X-Amz-Expires=[^&]+& | ''",
                "X-Amz-SignedHeaders=[^&]+& | ''",
                "&X-Amz-Signature=.* | ''",
                "^ | X-Amz-Algorithm=AWS4-HMAC-SHA256&",
                "^ | X-Amz-Credential=a&",
                "^ | X-Amz-Date=20130524T000000Z&",
                "^ | X-Amz-Expires=86400&",
                "^ | X-Amz-SignedHeaders=host&",
                "$ | &X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
                "^ | X-Amz-Security-Token=a&X-Amz-Security-Token=b&",
                "^ | X-Amz-Content-Sha256=UNSIGNED-PAYLOAD&X-Amz-Content-Sha256=UNSIGNED-PAYLOAD&",
                "^ | %58-Amz-Date=20130524T000000Z&",
                "=86400 | =0",
                "=86400 | =604801",
                "=86400 | =-1",
                "=86400 | =%2B86400",
                "=86400 | =086400",
                "=86400 | =8640000",
                "=86400 | =99999999999999999999",
                "=86400 | =",
                "=86400 | =%D9%A1",
                "T000000Z | T000000",
                "T000000Z | T240000Z",
                "T000000Z | T000060Z",
                "%2F20130524 | %2F20130523",
                "us-east-1 | eu-west-1",
                "%2Fs3 | %2Fsts",
                "aws4_request | aws4",
                "=host | =host%3Bx-amz-meta-a",
                "Signature=a | Signature=A"
            })
    void refusesAQueryThatIsMalformedOrForAnother(String regex, String replacement) {
        assertThat(refusal(PRESIGNED.withQueryChanged(regex, replacement))).isEqualTo(Reason.MALFORMED_QUERY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "20130524T000000",
                "20130524T000000z",
                "2013-05-24T00:00:00Z",
                "20130532T000000Z",
                "20130230T000000Z",
                "20130524T000060Z",
                "\u0662\u0660130524T000000Z",
                "Fri, 24 May 2013 00:00:00 GMT",
                ""
            })
    void refusesWhatIsNoDate(String date) {
        assertThat(refusal(SIGNED.with("x-amz-date", date))).isEqualTo(Reason.NO_DATE);
    }

    @Test
    void refusesARequestWithoutDateOrWithTwo() {
        assertThat(refusal(SIGNED.without("x-amz-date"))).isEqualTo(Reason.NO_DATE);
        assertThat(refusal(SIGNED.with("x-amz-date", "20130524T000000Z", "20130524T000000Z")))
                .isEqualTo(Reason.NO_DATE);
    }

    @ParameterizedTest
    @ValueSource(ints = {-901, 901, 86_400, -86_400})
    void refusesARequestMoreThanAQuarterOfAnHourOffTheClock(int seconds) {
        assertThat(refusal(SIGNED, at(NOW.plusSeconds(seconds)), CREDENTIALS)).isEqualTo(Reason.CLOCK_SKEW);
    }

    @Test
    void refusesAPresignedUrlThatIsNotYetValid() {
        assertThat(refusal(PRESIGNED, at(NOW.minusSeconds(901)), CREDENTIALS)).isEqualTo(Reason.NOT_YET_VALID);
    }

    @Test
    void refusesAPresignedUrlThatHasExpired() {
        assertThat(refusal(PRESIGNED, at(NOW.plusSeconds(86_401)), CREDENTIALS)).isEqualTo(Reason.EXPIRED);
    }

    @Test
    void refusesAnAmzHeaderThatIsNotSigned() {
        for (String name : List.of("x-amz-meta-a", "X-AMZ-TRAILER", "x-amz-copy-source", "x-amz-acl")) {
            assertThat(refusal(SIGNED.with(name, "1"))).as(name).isEqualTo(Reason.HEADER_NOT_SIGNED);
            assertThat(refusal(PRESIGNED.with(name, "1"))).as(name).isEqualTo(Reason.HEADER_NOT_SIGNED);
        }
    }

    @Test
    void refusesAPresignedUrlThatDoesNotSignTheHost() {
        assertThat(refusal(PRESIGNED.with("date", "x").withQueryChanged("=host", "=date")))
                .isEqualTo(Reason.HEADER_NOT_SIGNED);
    }

    @Test
    void letsAnUnsignedHeaderOfAnotherKindPass() {
        SIGNED.with("Content-Type", "text/plain")
                .with("x-amzn-trace-id", "1")
                .read(VERIFIER)
                .verify(CREDENTIALS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a/b", "a#b", "a?b", "[::1", "a%"})
    void refusesAHostThatIsNone(String host) {
        assertThat(refusal(SIGNED.with("Host", host))).isEqualTo(Reason.MALFORMED_REQUEST);
    }

    @Test
    void refusesARequestWithoutHostOrWithTwo() {
        assertThat(refusal(SIGNED.without("Host"))).isEqualTo(Reason.MALFORMED_REQUEST);
        assertThat(refusal(SIGNED.with("Host", "host", "host"))).isEqualTo(Reason.MALFORMED_REQUEST);
        assertThat(refusal(SIGNED.with("host", "host"))).isEqualTo(Reason.MALFORMED_REQUEST);
    }

    @Test
    void refusesALineFeedInAHeader() {
        assertThat(refusal(SIGNED.with("x-amz-meta-key", "a\nx-amz-acl:public")))
                .isEqualTo(Reason.MALFORMED_REQUEST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/b/%", "/b/%4", "/b/%4g", "/b/%\u0664\u0661", "b/key", "*"})
    void refusesAPathThatIsNotPercentEncoded(String path) {
        assertThat(refusal(SIGNED.withPath(path))).isEqualTo(Reason.MALFORMED_URI);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=%", "a=%4", "%zz", "a=\ud83d"})
    void refusesAQueryThatIsNotPercentEncoded(String query) {
        assertThat(refusal(SIGNED.withQuery(query))).isEqualTo(Reason.MALFORMED_URI);
    }

    @Test
    void refusesAPlusInTheQueryThatOthersReadAsASpace() {
        assertThat(refusal(SIGNED.withQuery("a=1+1"))).isEqualTo(Reason.MALFORMED_URI);
    }

    @Test
    void refusesARequestThatDoesNotSayWhatIsSignedForItsBody() {
        ReceivedRequest request =
                SIGNED.without("x-amz-content-sha256").withHeaderChanged("Authorization", "x-amz-content-sha256;", "");

        assertThat(refusal(request)).isEqualTo(Reason.NO_PAYLOAD_HASH);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "unsigned-payload",
                "STREAMING-",
                "STREAMING-AWS4-HMAC-SHA256-PAYLOAD ,x",
                "UNSIGNED",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b85",
                "g3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
            })
    void refusesWhatIsNeitherHashNorMode(String value) {
        assertThat(refusal(SIGNED.with("x-amz-content-sha256", value))).isEqualTo(Reason.UNKNOWN_PAYLOAD_HASH);
    }

    @Test
    void refusesTheModesOfAsymmetricSignatures() {
        assertThat(refusal(SIGNED.with("x-amz-content-sha256", "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD")))
                .isEqualTo(Reason.UNSUPPORTED_MODE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
                "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
                "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
            })
    void refusesAStreamingModeInAPresignedUrl(String mode) {
        assertThat(refusal(PRESIGNED
                        .with("x-amz-content-sha256", mode)
                        .withQueryChanged("=host", "=host%3Bx-amz-content-sha256")))
                .isEqualTo(Reason.PRESIGNED_STREAM);
        assertThat(refusal(PRESIGNED.withQueryChanged("^", "X-Amz-Content-Sha256=" + mode + "&")))
                .isEqualTo(Reason.PRESIGNED_STREAM);
    }

    @Test
    void refusesAnyOtherSignatureAndAnyOtherRequest() {
        List<ReceivedRequest> changed = List.of(
                SIGNED.withHeaderChanged("Authorization", "Signature=.{8}", "Signature=00000000"),
                SIGNED.withHeaderChanged("Authorization", ".{8}$", "00000000"),
                SIGNED.withMethod("POST"),
                SIGNED.withMethod("put"),
                SIGNED.withPath("/b/other"),
                SIGNED.withPath("/b/k%65y "),
                SIGNED.withPath("/b//key"),
                SIGNED.withPath("//b/key"),
                SIGNED.withPath("/b/./key"),
                SIGNED.withPath("/b/../b/key"),
                SIGNED.withPath("/b/key/"),
                SIGNED.withPath("/b/%256bey"),
                SIGNED.withQuery("partNumber=1&uploadId=other"),
                SIGNED.withQuery("partNumber=1&uploadId=u&uploadId=u"),
                SIGNED.withQuery("partNumber=1&uploadId=u&acl"),
                SIGNED.withQuery("partNumber=1"),
                SIGNED.withQuery(null),
                SIGNED.with("Host", "host:80"),
                SIGNED.with("x-amz-meta-key", "other"),
                SIGNED.with("x-amz-meta-key", "value", "value"),
                SIGNED.with("x-amz-meta-key", "Value"),
                SIGNED.with("x-amz-date", "20130524T000001Z"),
                SIGNED.with("x-amz-content-sha256", "UNSIGNED-PAYLOAD"),
                SIGNED.with("Content-Type", "text/html")
                        .withHeaderChanged("Authorization", "=host", "=content-type;host"),
                PRESIGNED.withMethod("PUT"),
                PRESIGNED.withPath("/test.tx"),
                PRESIGNED.withQueryChanged("=86400", "=86401"),
                PRESIGNED.withQueryChanged("^", "a=1&"),
                PRESIGNED.withQueryChanged("^", "X-Amz-Security-Token=a&"),
                PRESIGNED.withQueryChanged("^", "x-amz-signature=a&"),
                PRESIGNED.withQueryChanged("^", "X-Amz-Content-Sha256=UNSIGNED-PAYLOAD&"),
                PRESIGNED.withQueryChanged("Signature=.", "Signature=0"),
                PRESIGNED.withQueryChanged("Date=20130524T000000Z", "Date=20130524T000001Z"));

        assertThat(changed).allSatisfy(request -> assertThat(refusal(request)).isEqualTo(Reason.WRONG_SIGNATURE));
    }

    @Test
    void refusesAnotherSecretKey() {
        AwsCredentials other = AwsCredentials.of("AKIAIOSFODNN7EXAMPLE", SECRET_KEY + "x");

        assertThat(refusal(SIGNED, VERIFIER, other)).isEqualTo(Reason.WRONG_SIGNATURE);
        assertThat(refusal(PRESIGNED, VERIFIER, other)).isEqualTo(Reason.WRONG_SIGNATURE);
    }

    @Test
    void refusesASessionTokenThatIsMissingOrAnother() {
        AwsCredentials other = AwsCredentials.of("AKIAIOSFODNN7EXAMPLE", SECRET_KEY, "another");

        assertThat(refusal(SIGNED, VERIFIER, TEMPORARY)).isEqualTo(Reason.WRONG_TOKEN);
        assertThat(refusal(signed(other), VERIFIER, TEMPORARY)).isEqualTo(Reason.WRONG_TOKEN);
        assertThat(refusal(PRESIGNED, VERIFIER, TEMPORARY)).isEqualTo(Reason.WRONG_TOKEN);
    }

    @Test
    void refusesASessionTokenForCredentialsWithoutOne() {
        assertThat(refusal(signed(TEMPORARY), VERIFIER, CREDENTIALS)).isEqualTo(Reason.WRONG_TOKEN);
    }

    @Test
    void refusesASessionTokenInTheQueryAndInAHeader() {
        assertThat(refusal(PRESIGNED
                        .withQueryChanged("^", "X-Amz-Security-Token=a&")
                        .with("x-amz-security-token", "a")))
                .isEqualTo(Reason.MALFORMED_QUERY);
    }

    @Test
    void saysWhatIsWrongWithoutSecrets() {
        for (ReceivedRequest request : List.of(signed(TEMPORARY), SIGNED.withPath("/b/other"))) {
            String message = thrown(request, VERIFIER, CREDENTIALS).getMessage();

            assertThat(message)
                    .isNotBlank()
                    .doesNotContain(SECRET_KEY, "the-token")
                    .doesNotContainPattern("[0-9a-f]{16}");
        }
    }

    @Test
    void mapsEveryReasonToACodeAndAStatusOfS3() {
        for (Reason reason : Reason.values()) {
            assertThat(reason.s3Code()).as(reason.name()).matches("[A-Z][A-Za-z]+");
            assertThat(reason.status()).as(reason.name()).isIn(400, 403, 501);
        }
        assertThat(SignatureRefusedException.unknownAccessKey().reason().s3Code())
                .isEqualTo("InvalidAccessKeyId");
    }

    private static ReceivedRequest signed(AwsCredentials credentials) {
        SignedHeaders sent = SigV4.builder()
                .region("us-east-1")
                .clock(Clock.fixed(NOW, ZoneOffset.UTC))
                .build()
                .sign(
                        "PUT",
                        URI.create("http://host/b/key?partNumber=1&uploadId=u"),
                        Map.of("x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "x-amz-meta-key", "value"),
                        credentials);
        return ReceivedRequest.of("PUT", sent);
    }

    private static SigV4Verifier at(Instant now) {
        return SigV4Verifier.builder()
                .region("us-east-1")
                .clock(Clock.fixed(now, ZoneOffset.UTC))
                .build();
    }

    private static Reason refusal(ReceivedRequest request) {
        return refusal(request, VERIFIER, CREDENTIALS);
    }

    private static Reason refusal(ReceivedRequest request, SigV4Verifier verifier, AwsCredentials credentials) {
        return thrown(request, verifier, credentials).reason();
    }

    private static SignatureRefusedException thrown(
            ReceivedRequest request, SigV4Verifier verifier, AwsCredentials credentials) {
        SignatureRefusedException refused = catchThrowableOfType(
                SignatureRefusedException.class, () -> request.read(verifier).verify(credentials));
        assertThat(refused).as("%s", request).isNotNull();
        return refused;
    }
}
