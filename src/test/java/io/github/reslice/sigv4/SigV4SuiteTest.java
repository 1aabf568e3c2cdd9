package io.github.reslice.sigv4;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The published test suite of Signature Version 4; the resource says what of it is there, and what not. */
class SigV4SuiteTest {

    private static final String ACCESS_KEY = "AKIDEXAMPLE";
    private static final String SECRET_KEY = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2015-08-30T12:36:00Z"), ZoneOffset.UTC);

    private static final SigV4 SIGV4 =
            SigV4.builder().region("us-east-1").service("service").clock(CLOCK).build();

    private static final SigV4Verifier VERIFIER = SigV4Verifier.builder()
            .region("us-east-1")
            .service("service")
            .clock(CLOCK)
            .build();

    @Test
    void hasAllCases() {
        assertThat(cases()).hasSize(27);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void authorizes(Case test) {
        SignedHeaders signed = test.sign();

        assertThat(signed.signature()).isEqualTo(test.signature());
        assertThat(signed.headers())
                .containsEntry(
                        "Authorization",
                        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders="
                                + test.signedHeaders() + ", Signature=" + test.signature());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void hasTheCanonicalRequest(Case test) {
        assertThat(test.canonicalRequestAsSent().text()).isEqualTo(test.canonicalRequest());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void hasTheStringToSign(Case test) {
        SignedHeaders signed = test.sign();

        String stringToSign = test.canonicalRequestAsSent()
                .stringToSign(signed.timestamp(), new Scope("20150830", "us-east-1", "service"));

        assertThat(stringToSign).isEqualTo(test.stringToSign());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isVerified(Case test) {
        ReceivedRequest received = ReceivedRequest.of(test.method(), test.sign());

        SignedHeaders seed = received.read(VERIFIER).verify(test.credentials());

        assertThat(seed.signature()).isEqualTo(test.signature());
    }

    static List<Case> cases() {
        return Stream.of(resource().split("(?m)^== "))
                .skip(1) // the header
                .map(Case::parse)
                .toList();
    }

    private static String resource() {
        try (InputStream in = SigV4SuiteTest.class.getResourceAsStream("sigv4-suite.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Case(
            String name,
            String method,
            URI uri,
            Map<String, String> headers,
            AwsCredentials credentials,
            String canonicalRequest,
            String stringToSign,
            String signature) {

        static Case parse(String text) {
            String[] sections = text.strip().split("\n-- ");
            Map<String, String> parts = new HashMap<>();
            Stream.of(sections).skip(1).map(part -> part.split("\n", 2)).forEach(part -> parts.put(part[0], part[1]));
            List<String> request = new ArrayList<>(sections[0].lines().toList());
            String name = request.remove(0);
            String[] methodAndTarget = request.remove(0).split(" ", 2);
            Map<String, String> headers = new LinkedHashMap<>();
            request.stream()
                    .map(line -> line.split(":", 2))
                    .forEach(header -> headers.merge(header[0], header[1], (first, next) -> first + "," + next));
            URI uri = URI.create("https://" + headers.remove("Host") + methodAndTarget[1]);
            String token = parts.get("session token");
            return new Case(
                    name,
                    methodAndTarget[0],
                    uri,
                    headers,
                    token == null
                            ? AwsCredentials.of(ACCESS_KEY, SECRET_KEY)
                            : AwsCredentials.of(ACCESS_KEY, SECRET_KEY, token),
                    parts.get("canonical request"),
                    parts.get("string to sign"),
                    parts.get("signature"));
        }

        SignedHeaders sign() {
            return SIGV4.sign(method, uri, headers, credentials);
        }

        /** As a verifier makes it, from what it receives. */
        CanonicalRequest canonicalRequestAsSent() {
            SignedHeaders sent = sign();
            RequestTarget target = RequestTarget.of(sent.uri());
            Map<String, String> received = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            received.putAll(sent.headers());
            received.remove("Authorization");
            received.put("Host", target.host());
            return CanonicalRequest.of(method, target, received, CanonicalRequest.EMPTY_HASH);
        }

        String signedHeaders() {
            String[] lines = canonicalRequest.split("\n", -1);
            return lines[lines.length - 2];
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
