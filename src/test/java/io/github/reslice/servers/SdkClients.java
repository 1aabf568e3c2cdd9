package io.github.reslice.servers;

import java.util.function.Consumer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;
import software.amazon.awssdk.services.s3.S3BaseClientBuilder;
import software.amazon.awssdk.services.s3.S3Client;

/** The AWS SDK's clients for a server, as their builders come, but for retries, of which there are none. */
public final class SdkClients {

    private SdkClients() {}

    /** The blocking one. Close it. */
    public static S3Client blocking(S3Server server) {
        return settings(S3Client.builder(), server).build();
    }

    /** The blocking one, with somebody who looks on. Close it. */
    static S3Client blocking(S3Server server, ExecutionInterceptor onlooker) {
        return settings(S3Client.builder(), server)
                .overrideConfiguration(override ->
                        override.addExecutionInterceptor(onlooker).retryStrategy(retry -> retry.maxAttempts(1)))
                .build();
    }

    /** The one over Netty. Close it. */
    public static S3AsyncClient async(S3Server server) {
        return async(server, builder -> {});
    }

    /** The one over Netty, changed. Close it. */
    public static S3AsyncClient async(S3Server server, Consumer<S3AsyncClientBuilder> change) {
        return settings(S3AsyncClient.builder(), server).applyMutation(change).build();
    }

    /** The one over Netty, which sends large objects in parts. Close it. */
    public static S3AsyncClient asyncInParts(S3Server server) {
        return settings(S3AsyncClient.builder(), server).multipartEnabled(true).build();
    }

    private static <B extends S3BaseClientBuilder<B, ?>> B settings(B builder, S3Server server) {
        return builder.endpointOverride(server.endpoint())
                .region(Region.of(server.region()))
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(server.accessKey(), server.secretKey())))
                .forcePathStyle(true)
                .overrideConfiguration(override -> override.retryStrategy(retry -> retry.maxAttempts(1)));
    }
}
