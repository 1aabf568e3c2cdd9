package io.github.reslice.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExternalServerTest {

    private static final Map<String, String> SWIFT = Map.of(
            "RESLICE_S3_ENDPOINT", "http://127.0.0.1:1",
            "RESLICE_S3_ACCESS_KEY", "user",
            "RESLICE_S3_SECRET_KEY", "hidden");

    @Test
    void isAbsentWithoutAnEndpoint() {
        assertThat(ExternalServer.named(Map.of("RESLICE_S3_ACCESS_KEY", "user")))
                .isEmpty();
    }

    @Test
    void isTakenForSwiftInUsEast1UnlessToldOtherwise() {
        S3Server server = ExternalServer.named(SWIFT).orElseThrow().server();

        assertThat(server.endpoint()).hasToString("http://127.0.0.1:1");
        assertThat(server.accessKey()).isEqualTo("user");
        assertThat(server.secretKey()).isEqualTo("hidden");
        assertThat(server.region()).isEqualTo("us-east-1");
        assertThat(server.traits()).isEqualTo(KnownTraits.SWIFT);
    }

    @Test
    void isWhatTheEnvironmentSays() {
        S3Server server = ExternalServer.named(with("RESLICE_S3_REGION", "eu-1", "RESLICE_S3_TRAITS", "s3mock"))
                .orElseThrow()
                .server();

        assertThat(server.region()).isEqualTo("eu-1");
        assertThat(server.traits()).isEqualTo(KnownTraits.S3MOCK);
    }

    @Test
    void wantsCredentialsWithTheEndpoint() {
        assertThatThrownBy(() -> ExternalServer.named(with("RESLICE_S3_SECRET_KEY", "")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("RESLICE_S3_SECRET_KEY");
    }

    @Test
    void refusesTraitsThatItDoesNotKnow() {
        assertThatThrownBy(() -> ExternalServer.named(with("RESLICE_S3_TRAITS", "other")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'other'");
    }

    @Test
    void showsNoSecretKey() {
        assertThat(ExternalServer.named(SWIFT).orElseThrow().server().toString())
                .doesNotContain("hidden");
    }

    private static Map<String, String> with(String... more) {
        Map<String, String> environment = new HashMap<>(SWIFT);
        for (int i = 0; i < more.length; i += 2) {
            environment.put(more[i], more[i + 1]);
        }
        return environment;
    }
}
