package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.servers.Connector;
import io.github.reslice.servers.RecordedRequest;
import io.github.reslice.sigv4.AwsCredentials;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** What is signed, and by whom: credentials, headers and paths. */
class S3ExchangeFilterSigningTest extends RecordedExchanges {

    @ParameterizedTest
    @EnumSource
    void signsAGet(Connector connector) {
        RecordedRequest request =
                sent(client(connector, filter()).get().uri("/bucket?list-type=2&prefix=a b&delimiter"));

        assertThat(request.line()).isEqualTo("GET /bucket?list-type=2&prefix=a%20b&delimiter HTTP/1.1");
        assertThat(request.header("x-amz-content-sha256")).isEqualTo(HASH_OF_NOTHING);
        assertThat(request.header("authorization")).doesNotContain("content-length");
    }

    @ParameterizedTest
    @EnumSource
    void signsADelete(Connector connector) {
        RecordedRequest request = sent(client(connector, filter()).delete().uri("/bucket/key"));

        assertThat(request.header("x-amz-content-sha256")).isEqualTo(HASH_OF_NOTHING);
    }

    @ParameterizedTest
    @EnumSource
    void signsTheSessionToken(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter().credentials(AwsCredentials.of("AKIAIOSFODNN7EXAMPLE", SECRET, "the-token")),
                put -> put.bodyValue("hello world"));

        assertThat(request.header("x-amz-security-token")).isEqualTo("the-token");
        assertThat(new WireSignature(request).signedHeaders()).contains("x-amz-security-token");
    }

    @ParameterizedTest
    @EnumSource
    void signsTheContentMd5(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter().plainBodies(),
                put -> put.header("Content-MD5", "XrY7u+Ae7tCTyyK7j1rNww==").bodyValue("hello world"));

        assertThat(new WireSignature(request).signedHeaders()).contains("content-md5");
    }

    @ParameterizedTest
    @EnumSource
    void signsHeadersThatComeTwiceAsTheyAreSent(Connector connector) {
        RecordedRequest request = put(
                connector, filter(), put -> put.header("x-amz-meta-a", "1", "2").bodyValue("hello world"));

        assertThat(request.headers("x-amz-meta-a")).containsExactly("1,2");
    }

    @ParameterizedTest
    @EnumSource
    void doesNotSignWhatOthersMayChange(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.header("User-Agent", "me")
                        .header("X-Forwarded-For", "127.0.0.1")
                        .header("Accept", "text/plain")
                        .bodyValue("hello world"));

        assertThat(new WireSignature(request).signedHeaders())
                .doesNotContain("user-agent", "x-forwarded-for", "accept", "accept-encoding", "transfer-encoding");
    }

    @ParameterizedTest
    @EnumSource
    void refusesASignedHeaderThatIsNotAscii(Connector connector) {
        assertThatThrownBy(() -> put(
                        connector,
                        filter(),
                        put -> put.header("x-amz-meta-a", "gr\u00fc\u00df").bodyValue("x")))
                .hasStackTraceContaining("x-amz-meta-a")
                .hasStackTraceContaining("U+00fc");
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void refusesAHeaderThatWouldNotBeSentAsItIs(Connector connector) {
        for (String name : List.of("x-amz-meta-a", "X-Other")) {
            for (String value :
                    List.of(" hidden", "hidden ", "\thidden", "hid\u0001den", "hidden\r\nX-More: 1", "hid\u007fden")) {
                assertThatThrownBy(() -> put(
                                connector,
                                filter(),
                                put -> put.header(name, value).bodyValue("x")))
                        .rootCause()
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("Header " + name)
                        .hasMessageNotContaining("hid");
                assertThatThrownBy(() -> sent(client(connector, filter())
                                .get()
                                .uri("/bucket/key")
                                .header(name, value)))
                        .rootCause()
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("Header " + name);
            }
        }
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void sendsThePathAsItWasSigned(Connector connector) {
        String[][] paths = {
            {"/bucket/a+b", "/bucket/a%2Bb"},
            {"/bucket/a%2Bb", "/bucket/a%2Bb"},
            {"/bucket/a%20b", "/bucket/a%20b"},
            {"/bucket/a%25b", "/bucket/a%25b"},
            {"/bucket/(!)*'", "/bucket/%28%21%29%2A%27"},
            {"/bucket//a//b", "/bucket//a//b"},
            {"//a/b", "//a/b"},
            {"/bucket/a/../b/./c", "/bucket/a/../b/./c"},
            {"/bucket/..", "/bucket/.."},
            {"/bucket/gr%C3%BC%C3%9F", "/bucket/gr%C3%BC%C3%9F"},
            {"/bucket/a%2Fb", "/bucket/a/b"},
            {"/bucket/a%3Fb%23c", "/bucket/a%3Fb%23c"},
            {"/bucket/~tilde", "/bucket/~tilde"},
            {"/bucket/", "/bucket/"},
            {"", "/"},
            {"/bucket?prefix=a/b%2Bc+d", "/bucket?prefix=a%2Fb%2Bc%2Bd"},
        };
        WebClient client = client(connector, filter());
        for (String[] path : paths) {
            RecordedRequest request = sent(client.get().uri(URI.create(server.endpoint() + path[0])));

            assertThat(request.line()).isEqualTo("GET " + path[1] + " HTTP/1.1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void passesAPresignedUriUntouched(Connector connector) {
        for (String name : List.of("X-Amz-Signature", "x-amz-signature")) {
            String target = "/bucket/a+b?X-Amz-Algorithm=AWS4-HMAC-SHA256&" + name + "=00";
            client(connector, filter())
                    .put()
                    .uri(URI.create(server.endpoint() + target))
                    .bodyValue("hello world")
                    .retrieve()
                    .toBodilessEntity()
                    .block();

            RecordedRequest request = server.requests().get(server.requests().size() - 1);
            assertThat(request.line()).isEqualTo("PUT " + target + " HTTP/1.1");
            assertThat(request.header("authorization")).isNull();
            assertThat(request.header("x-amz-content-sha256")).isNull();
            assertThat(request.body()).asString().isEqualTo("hello world");
        }
    }

    @ParameterizedTest
    @EnumSource
    void asksForCredentialsBeforeTheBody(Connector connector) {
        TrackedBuffers buffers = new TrackedBuffers(PooledByteBufAllocator.DEFAULT);

        assertThatThrownBy(() -> put(
                        connector,
                        filter().credentials(Mono.error(new IOException("no credentials today"))),
                        put -> put.contentLength(payload.length)
                                .body(buffers.slicesOf(payload, 1000), DataBuffer.class)))
                .hasRootCauseMessage("no credentials today");

        assertThat(buffers.count()).isZero();
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void saysSoWhenTheCredentialsMonoIsEmpty() {
        assertThatThrownBy(() -> put(Connector.JDK, filter().credentials(Mono.empty()), put -> put.bodyValue("x")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("credentials");
    }

    @Test
    void saysWhichSettingIsMissing() {
        assertThatThrownBy(() -> S3ExchangeFilter.builder().region("us-east-1").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("credentials(");
        assertThatThrownBy(() ->
                        S3ExchangeFilter.builder().credentials(CREDENTIALS).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("region(");
    }

    @Test
    void refusesAUriWithUserInformation() {
        assertThatThrownBy(() -> Connector.JDK
                        .client()
                        .filter(filter().build())
                        .build()
                        .method(HttpMethod.GET)
                        .uri(URI.create("http://me@127.0.0.1/bucket"))
                        .retrieve()
                        .toBodilessEntity()
                        .block())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void showsNoSecret() {
        assertThat(filter().build().toString()).doesNotContain(SECRET).contains("us-east-1");
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller may do who does not check for null
    void namesWhatIsNull() {
        S3ExchangeFilter.Builder builder = S3ExchangeFilter.builder();

        assertThatThrownBy(() -> builder.credentials((AwsCredentials) null)).hasMessage("credentials");
        assertThatThrownBy(() -> builder.region(null)).hasMessage("region");
        assertThatThrownBy(() -> builder.service(null)).hasMessage("service");
    }
}
