package io.github.reslice.awssdk;

import java.net.URI;
import java.time.Duration;
import java.util.function.Consumer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;

/** The SDK's client over Netty, of a server that checks nothing, with three attempts and no pause between them. */
final class SdkClient {

    /** Shared, since closing one takes two seconds. */
    private static final SdkAsyncHttpClient NETTY = NettyNioAsyncHttpClient.create();

    private SdkClient() {}

    /** As it comes: bodies in chunks, with a checksum in the trailer. Close it. */
    static S3AsyncClient of(URI endpoint) {
        return of(endpoint, client -> {});
    }

    /** Objects in parts of 100,000 bytes, from 200,000 bytes on. Close it. */
    static S3AsyncClient multipart(URI endpoint) {
        return of(
                endpoint,
                client -> client.multipartEnabled(true)
                        .multipartConfiguration(
                                parts -> parts.minimumPartSizeInBytes(100_000L).thresholdInBytes(200_000L)));
    }

    private static S3AsyncClient of(URI endpoint, Consumer<S3AsyncClientBuilder> settings) {
        return S3AsyncClient.builder()
                .httpClient(NETTY)
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .forcePathStyle(true)
                .overrideConfiguration(override -> override.retryStrategy(retry -> retry.maxAttempts(3)
                                .backoffStrategy(BackoffStrategy.retryImmediately())
                                .throttlingBackoffStrategy(BackoffStrategy.retryImmediately()))
                        .apiCallTimeout(Duration.ofSeconds(20)))
                .applyMutation(settings)
                .build();
    }
}
