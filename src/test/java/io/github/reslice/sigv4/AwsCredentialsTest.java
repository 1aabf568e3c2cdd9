package io.github.reslice.sigv4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.junit.jupiter.api.Test;

class AwsCredentialsTest {

    @Test
    void refusesBlankParts() {
        for (String blank : new String[] {"", " ", "\t"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> AwsCredentials.of(blank, "s3cr3t"))
                    .withMessageContaining("access key");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> AwsCredentials.of("AK", blank))
                    .withMessageContaining("secret key");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> AwsCredentials.of("AK", "s3cr3t", blank))
                    .withMessageContaining("session token");
        }
    }

    @Test
    void takesAnAccessKeyOfAnotherStore() {
        assertThat(AwsCredentials.of("test:tester", "testing").accessKey()).isEqualTo("test:tester");
        assertThat(AwsCredentials.of("team/app=1", "testing").accessKey()).isEqualTo("team/app=1");
    }

    @Test
    void refusesAnAccessKeyThatWouldNotSurviveItsHeader() {
        for (String accessKey : new String[] {"A\nK", "A K", "A,K", "A\u00e9", "A\0K"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> AwsCredentials.of(accessKey, "s3cr3t"))
                    .withMessageStartingWith("access key: character 2 of " + accessKey.length());
        }
    }

    @Test
    void refusesASecretKeyWithALineEnd() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsCredentials.of("AK", "s3cr3t\n"))
                .withMessageContaining("secret key: character 7 of 7");
    }

    @Test
    void refusesASessionTokenThatIsNoHeadersValue() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AwsCredentials.of("AK", "s3cr3t", "to\r\nken"))
                .withMessageContaining("session token: character 3 of 7");
    }

    @Test
    void showsNoPartInAMessage() {
        // the secret in the access key's place too: the arguments may have been swapped
        Throwable[] errors = {
            catchThrowable(() -> AwsCredentials.of("s3cr3t,", "AK")),
            catchThrowable(() -> AwsCredentials.of("AK", "s3cr3t\r")),
            catchThrowable(() -> AwsCredentials.of("AK", "s3cr3t", "s3cr3t ")),
        };
        for (Throwable error : errors) {
            assertThat(error).isInstanceOf(IllegalArgumentException.class).hasMessageNotContaining("s3cr3t");
        }
    }

    @Test
    void showsTheAccessKeyAlone() {
        assertThat(AwsCredentials.of("AK", "s3cr3t", "t0k3n")).hasToString("AwsCredentials[AK]");
    }

    @Test
    void isEqualWhenAllPartsAre() {
        AwsCredentials credentials = AwsCredentials.of("AK", "s3cr3t", "t0k3n");

        assertThat(credentials)
                .isEqualTo(AwsCredentials.of("AK", "s3cr3t", "t0k3n"))
                .hasSameHashCodeAs(AwsCredentials.of("AK", "s3cr3t", "t0k3n"))
                .isNotEqualTo(AwsCredentials.of("AX", "s3cr3t", "t0k3n"))
                .isNotEqualTo(AwsCredentials.of("AK", "other", "t0k3n"))
                .isNotEqualTo(AwsCredentials.of("AK", "s3cr3t", "other"))
                .isNotEqualTo(AwsCredentials.of("AK", "s3cr3t"));
    }
}
