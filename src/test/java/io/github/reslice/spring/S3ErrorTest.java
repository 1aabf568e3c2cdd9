package io.github.reslice.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.client.WebClientResponseException;

class S3ErrorTest {

    private static S3Error read(int status, byte[] body) {
        HttpHeaders headers = new HttpHeaders();
        headers.add("X-Amz-Request-Id", "from-header");
        return S3Error.from(WebClientResponseException.create(status, "As told", headers, body, UTF_8));
    }

    private static S3Error read(int status, String body) {
        return read(status, body.getBytes(UTF_8));
    }

    @Test
    void readsWhatS3Says() {
        S3Error error = read(
                404,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>NoSuchKey</Code><Message>No &lt;such&gt; key: "
                        + "gr\u00fc\u00df &amp; more</Message><Resource>/bucket/key</Resource><RequestId>4442587FB7D0A2F9"
                        + "</RequestId><HostId>abc</HostId></Error>");

        assertThat(error)
                .isEqualTo(new S3Error(
                        404,
                        "NoSuchKey",
                        "No <such> key: gr\u00fc\u00df & more",
                        "4442587FB7D0A2F9",
                        "/bucket/key",
                        null));
        assertThat(error.hint()).isNull();
    }

    @Test
    void readsAnErrorInsideAnotherElementAndANamespace() {
        S3Error error = read(
                400,
                "<ErrorResponse xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Error><Code>InvalidRequest</Code></Error>"
                        + "<RequestId>outside</RequestId></ErrorResponse>");

        assertThat(error.code()).isEqualTo("InvalidRequest");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "no xml", "<html><body>502 Bad Gateway</body></html>", "{\"Code\":\"x\"}", "<Error", "<a/>"})
    void hasTheHeadersRequestIdAloneWhenTheBodySaysNothing(String body) {
        assertThat(read(502, body)).isEqualTo(new S3Error(502, null, null, "from-header", null, null));
    }

    @Test
    void keepsWhatCameBeforeTheBodyBrokeOff() {
        assertThat(read(400, "<Error><Code>BadDigest</Code><Message>The CRC").code())
                .isEqualTo("BadDigest");
    }

    @Test
    void readsNoExternalEntity(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "hidden");

        S3Error error = read(
                400,
                "<!DOCTYPE Error [<!ENTITY x SYSTEM \"" + file.toUri() + "\">]>"
                        + "<Error><Code>a</Code><Message>&x;</Message></Error>");

        assertThat(error.message()).isNull();
    }

    @Test
    void expandsNoEntities() {
        S3Error error = read(400, "<!DOCTYPE Error [<!ENTITY x \"expanded\">]><Error><Code>&x;</Code></Error>");

        assertThat(error.code()).isNull();
    }

    @Test
    void survivesEntitiesOfEntities() {
        StringBuilder bomb = new StringBuilder("<!DOCTYPE Error [<!ENTITY a0 \"0123456789\">");
        for (int i = 1; i < 10; i++) {
            bomb.append("<!ENTITY a")
                    .append(i)
                    .append(" \"")
                    .append(("&a" + (i - 1) + ";").repeat(10))
                    .append("\">");
        }
        bomb.append("]><Error><Code>&a9;</Code></Error>");

        assertThat(read(400, bomb.toString()).code()).isNull();
    }

    @Test
    void looksAtTheFirst64KibOnly() {
        assertThat(read(400, "<Error>" + " ".repeat(64 * 1024) + "<Code>late</Code></Error>")
                        .code())
                .isNull();
    }

    @Test
    void neverThrowsOnGarbage() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            byte[] body = "<Error><Code>NoSuchKey</Code><Message>m</Message></Error>".getBytes(UTF_8);
            for (int i = 0; i < 5; i++) {
                body[random.nextInt(body.length)] = (byte) random.nextInt(256);
            }
            assertThat(read(400, body).status()).as("seed %d", seed).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "501 | NotImplemented | aws-chunked is not implemented",
                "400 | XAmzContentSHA256Mismatch | The provided 'x-amz-content-sha256' header does not match what was computed.",
                "400 | InvalidArgument | x-amz-content-sha256 must be UNSIGNED-PAYLOAD, or a valid sha256 value.",
                "400 | InvalidRequest | The value specified in the x-amz-trailer header is not supported",
            })
    void namesTheSwitchWhenAStoreDoesNotKnowTheEncoding(int status, String code, String message) {
        S3Error error = read(status, "<Error><Code>" + code + "</Code><Message>" + message + "</Message></Error>");

        assertThat(error.hint()).contains("plainBodies()").contains("plainBody()");
    }

    @Test
    void namesTheLengthWhenAStoreWantsIt() {
        assertThat(read(411, "<Error><Code>MissingContentLength</Code></Error>").hint())
                .contains("contentLength(n)");
        assertThat(read(411, "").hint()).contains("contentLength(n)");
        assertThat(read(501, "<Error><Code>NotImplemented</Code><Message>Transfer-Encoding: no</Message></Error>")
                        .hint())
                .contains("contentLength(n)");
    }

    @Test
    void hasNoHintForOtherRefusals() {
        assertThat(read(400, "<Error><Code>InvalidArgument</Code><Message>Part number</Message></Error>")
                        .hint())
                .isNull();
        assertThat(read(403, "<Error><Code>AccessDenied</Code></Error>").hint()).isNull();
        assertThat(read(501, "").hint()).isNull();
        assertThat(read(501, "<Error><Code>NotImplemented</Code><Message>A header</Message></Error>")
                        .hint())
                .isNull();
    }
}
