package io.github.reslice.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Keys that do not survive a careless path arrive under their own name, where the server can hold them. */
abstract class KeySuite extends FilterSuite {

    private static final byte[] PAYLOAD = randomBytes(1000);

    static Stream<Arguments> connectorsAndKeys() {
        return Stream.of(Connector.values())
                .flatMap(connector -> OddKeys.ALL.stream().map(key -> Arguments.of(connector, key)));
    }

    @ParameterizedTest
    @MethodSource("connectorsAndKeys")
    void arrivesUnderItsName(Connector connector, String key) {
        WebClient client = client(connector);
        String refusal = put(client, key);

        try (S3Client sdk = SdkClients.blocking(server())) {
            List<String> keys = sdk.listObjectsV2(list -> list.bucket(bucket)).contents().stream()
                    .map(S3Object::key)
                    .toList();
            boolean held = refusal.isEmpty()
                    && keys.equals(List.of(key))
                    && Arrays.equals(readBySdk(sdk, key), PAYLOAD)
                    && Arrays.equals(read(client, key), PAYLOAD);
            assertThat(held).as("%s; the keys are %s", refusal, keys).isEqualTo(server().holds(key));
            if (!refusal.isEmpty()) {
                // s3proxy makes an empty directory of a key that ends in a slash
                assertThat(keys).as(refusal).noneMatch(stored -> Arrays.equals(readBySdk(sdk, stored), PAYLOAD));
            }
        }
    }

    /** Why it was refused, or nothing. A server that refuses by the path alone may close before its answer has been read. */
    private String put(WebClient client, String key) {
        try {
            send(BodyKind.BYTE_BUFFERS.give(client.put().uri("/{bucket}/{key}", bucket, key), PAYLOAD));
            return "";
        } catch (WebClientException e) {
            return e.toString();
        }
    }

    private byte[] read(WebClient client, String key) {
        return client.get()
                .uri("/{bucket}/{key}", bucket, key)
                .retrieve()
                .bodyToMono(byte[].class)
                .block(PATIENCE);
    }

    private byte[] readBySdk(S3Client sdk, String key) {
        return sdk.getObjectAsBytes(get -> get.bucket(bucket).key(key)).asByteArray();
    }
}
