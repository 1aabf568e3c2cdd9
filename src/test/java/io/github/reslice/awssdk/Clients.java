package io.github.reslice.awssdk;

import java.net.URI;
import java.util.function.Consumer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;

/** The SDK's asynchronous client over Netty, for a server that takes everybody. Close it. */
final class Clients {

    /** One for all, since each takes two seconds to close. */
    static final SdkAsyncHttpClient NETTY = NettyNioAsyncHttpClient.create();

    private Clients() {}

    static S3AsyncClient withScheme(URI endpoint, Consumer<S3AsyncClientBuilder> change) {
        return without(endpoint, change.andThen(builder -> builder.putAuthScheme(ResliceAuthScheme.create())));
    }

    static S3AsyncClient without(URI endpoint, Consumer<S3AsyncClientBuilder> change) {
        return S3AsyncClient.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("access", "secret")))
                .httpClient(NETTY)
                .forcePathStyle(true)
                .overrideConfiguration(override -> override.retryStrategy(retry -> retry.maxAttempts(1)))
                .applyMutation(change)
                .build();
    }
}
