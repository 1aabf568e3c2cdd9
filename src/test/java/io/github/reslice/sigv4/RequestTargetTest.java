package io.github.reslice.sigv4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import org.junit.jupiter.api.Test;

class RequestTargetTest {

    @Test
    void takesAnEmptyPathForTheRoot() {
        assertThat(target("").path()).isEqualTo("/");
        assertThat(target("?uploads").uri()).isEqualTo(URI.create("http://host/?uploads"));
    }

    @Test
    void encodesAllButUnreservedCharactersAndSlashes() {
        assertThat(target("/b/a!b'c(d)e*f+g,h:i;j=k&l@m$n").path())
                .isEqualTo("/b/a%21b%27c%28d%29e%2Af%2Bg%2Ch%3Ai%3Bj%3Dk%26l%40m%24n");
        assertThat(target("/b/A-Z_a.z~0").path()).isEqualTo("/b/A-Z_a.z~0");
    }

    @Test
    void encodesWhatIsEncodedOnceAndInUpperCase() {
        assertThat(target("/b/%7e%7E%41%2525%e2%82%ac%ff").path()).isEqualTo("/b/~~A%2525%E2%82%AC%FF");
    }

    @Test
    void encodesWhatIsNotAsciiInUtf8() {
        assertThat(target("/b/\u00e9\u20ac\ud83d\ude00").path()).isEqualTo("/b/%C3%A9%E2%82%AC%F0%9F%98%80");
    }

    @Test
    void doesNotComposeCharacters() {
        assertThat(target("/b/e\u0301").path()).isEqualTo("/b/e%CC%81");
    }

    @Test
    void takesAnEncodedSlashForASlash() {
        assertThat(target("/b/a%2Fb").path()).isEqualTo("/b/a/b");
    }

    @Test
    void collapsesAndRemovesNothing() {
        assertThat(target("/b//a/./../c/").path()).isEqualTo("/b//a/./../c/");
        assertThat(target("//b").path()).isEqualTo("//b");
    }

    @Test
    void refusesAnEscapeThatIsCutShort() {
        for (String path : new String[] {"/%", "/%4", "/%4g"}) {
            assertThatIllegalArgumentException().isThrownBy(() -> RequestTarget.received("host", path, null));
        }
    }

    @Test
    void givesAParametersValuesDecoded() {
        RequestTarget target = RequestTarget.received("host", "/", "a=%2f&b&%61=%2B%C3%A9&a");

        assertThat(target.values("a")).containsExactly("/", "+\u00e9", "");
        assertThat(target.values("c")).isEmpty();
        assertThat(target.without("a").canonicalQuery()).isEqualTo("b=");
    }

    @Test
    void sortsTheQueryByNameThenValue() {
        assertThat(target("/?b=1&a=2&a=1&a-b=0&B=3").canonicalQuery()).isEqualTo("B=3&a=1&a=2&a-b=0&b=1");
    }

    @Test
    void sortsTheQueryAsItIsEncoded() {
        assertThat(target("/?~=1&%C3%A9=2&a=~&a=!").canonicalQuery()).isEqualTo("%C3%A9=2&a=%21&a=~&~=1");
    }

    @Test
    void givesABareParameterAnEqualsSignWhenSigned() {
        assertThat(target("/?uploads&x-id=a&empty=").canonicalQuery()).isEqualTo("empty=&uploads=&x-id=a");
    }

    @Test
    void takesAPlusInTheQueryForAPlus() {
        assertThat(target("/?prefix=a+b%20c").canonicalQuery()).isEqualTo("prefix=a%2Bb%20c");
    }

    @Test
    void splitsAParameterAtItsFirstEqualsSign() {
        assertThat(target("/?a=b=c&=d").canonicalQuery()).isEqualTo("=d&a=b%3Dc");
    }

    @Test
    void skipsEmptyParameters() {
        assertThat(target("/?&a=1&&").canonicalQuery()).isEqualTo("a=1");
        assertThat(target("/?").uri()).isEqualTo(URI.create("http://host/"));
    }

    @Test
    void encodesASlashInTheQuery() {
        assertThat(target("/?prefix=a/b").canonicalQuery()).isEqualTo("prefix=a%2Fb");
    }

    @Test
    void sendsTheQueryInItsOrderAndAsSigned() {
        assertThat(target("/k?uploads&b=a+b&a=%7e#part").uri())
                .isEqualTo(URI.create("http://host/k?uploads&b=a%2Bb&a=~"));
    }

    @Test
    void sendsToTheSameServer() {
        assertThat(RequestTarget.of(URI.create("HTTPS://[::1]:9000/!")).uri())
                .isEqualTo(URI.create("HTTPS://[::1]:9000/%21"));
    }

    @Test
    void namesThePortUnlessItIsTheSchemesOwn() {
        assertThat(host("http://host/")).isEqualTo("host");
        assertThat(host("http://host:80/")).isEqualTo("host");
        assertThat(host("http://host:443/")).isEqualTo("host:443");
        assertThat(host("HTTPS://host:443/")).isEqualTo("host");
        assertThat(host("https://host:80/")).isEqualTo("host:80");
        assertThat(host("http://Host:9000")).isEqualTo("Host:9000");
        assertThat(host("http://[::1]:9000/")).isEqualTo("[::1]:9000");
    }

    @Test
    void refusesAUriWithoutHost() {
        for (String uri : new String[] {"/bucket/key", "bucket/key", "http:/bucket/key", "file:///key", "mailto:a"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> RequestTarget.of(URI.create(uri)))
                    .withMessageContaining("without host: " + uri);
        }
    }

    @Test
    void saysWhichHostNameJavaDoesNotTake() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RequestTarget.of(URI.create("http://my_bucket.s3.amazonaws.com/key")))
                .withMessageContaining("without host: http://my_bucket.s3.amazonaws.com/key")
                .withMessageContaining("'my_bucket.s3.amazonaws.com'");
    }

    @Test
    void refusesAnotherScheme() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RequestTarget.of(URI.create("s3://bucket/key")))
                .withMessageContaining("neither http nor https: s3://bucket/key");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RequestTarget.of(URI.create("//host/key")))
                .withMessageContaining("neither http nor https: //host/key");
    }

    @Test
    void refusesUserInformationAndDoesNotShowIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RequestTarget.of(URI.create("http://me:password@host/key")))
                .withMessageContaining("user information")
                .withMessageNotContaining("password@");
    }

    @Test
    void refusesHalfASurrogatePair() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> target("/b/\ud83d"))
                .withMessageContaining("surrogate");
    }

    private static RequestTarget target(String pathAndQuery) {
        return RequestTarget.of(URI.create("http://host" + pathAndQuery));
    }

    private static String host(String uri) {
        return RequestTarget.of(URI.create(uri)).host();
    }
}
