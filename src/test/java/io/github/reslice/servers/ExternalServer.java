package io.github.reslice.servers;

import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * A server that somebody else started, named by the environment: {@code RESLICE_S3_ENDPOINT},
 * {@code RESLICE_S3_ACCESS_KEY}, {@code RESLICE_S3_SECRET_KEY}, and unless they are {@code us-east-1} and {@code swift},
 * {@code RESLICE_S3_REGION} and {@code RESLICE_S3_TRAITS}, which says as what kind of server it is to be tested: one of
 * {@code swift}, {@code s3proxy}, {@code s3mock}.
 */
final class ExternalServer implements RunningServer {

    static final String ENDPOINT = "RESLICE_S3_ENDPOINT";

    private static final Map<String, ServerTraits> KINDS =
            Map.of("swift", KnownTraits.SWIFT, "s3proxy", KnownTraits.S3PROXY, "s3mock", KnownTraits.S3MOCK);

    private final S3Server server;

    private ExternalServer(S3Server server) {
        this.server = server;
    }

    /** The server that these variables name, or none when there is no endpoint among them. */
    static Optional<RunningServer> named(Map<String, String> environment) {
        String endpoint = environment.getOrDefault(ENDPOINT, "");
        if (endpoint.isEmpty()) {
            return Optional.empty();
        }
        String kind = environment.getOrDefault("RESLICE_S3_TRAITS", "swift");
        ServerTraits traits = KINDS.get(kind);
        if (traits == null) {
            throw new IllegalArgumentException("RESLICE_S3_TRAITS is '" + kind + "', not one of " + KINDS.keySet());
        }
        return Optional.of(new ExternalServer(new S3Server(
                kind,
                URI.create(endpoint),
                required(environment, "RESLICE_S3_ACCESS_KEY"),
                required(environment, "RESLICE_S3_SECRET_KEY"),
                environment.getOrDefault("RESLICE_S3_REGION", "us-east-1"),
                traits)));
    }

    private static String required(Map<String, String> environment, String name) {
        String value = environment.get(name);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException(ENDPOINT + " is set, and " + name + " is not");
        }
        return value;
    }

    @Override
    public S3Server server() {
        return server;
    }

    @Override
    public void close() {
        // who started it ends it
    }
}
