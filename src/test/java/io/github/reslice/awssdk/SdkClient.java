package io.github.reslice.awssdk;

import java.net.URI;
import java.time.Duration;
import java.util.function.Consumer;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;

/** The SDK's client over Netty, of a server that checks nothing, with three attempts and no pause between them. */
final class SdkClient {

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
        return Clients.without(
                endpoint,
                client -> client.overrideConfiguration(override -> override.retryStrategy(retry -> retry.maxAttempts(3)
                                        .backoffStrategy(BackoffStrategy.retryImmediately())
                                        .throttlingBackoffStrategy(BackoffStrategy.retryImmediately()))
                                .apiCallTimeout(Duration.ofSeconds(20)))
                        .applyMutation(settings));
    }
}
