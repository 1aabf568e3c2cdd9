package io.github.reslice.benchmarks.uploads;

import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;
import software.amazon.awssdk.services.s3.crt.S3CrtHttpConfiguration;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;

/** By the AWS SDK. */
final class SdkUpload {

    private static final long NEVER_IN_PARTS = 5L << 30;

    private SdkUpload() {}

    static Upload over(S3AsyncClient client, Setting setting) {
        Body body = setting.body();
        ChecksumAlgorithm checksum =
                ChecksumAlgorithm.fromValue(setting.checksum().name());
        return () -> client.putObject(
                        request -> request.bucket("bucket")
                                .key("key")
                                .contentLength(body.length)
                                .checksumAlgorithm(checksum),
                        AsyncRequestBody.fromPublisher(body.byteBuffers()))
                .join()
                .eTag();
    }

    static S3AsyncClientBuilder netty(Setting setting) throws GeneralSecurityException, IOException {
        NettyNioAsyncHttpClient.Builder http = NettyNioAsyncHttpClient.builder();
        if (setting.over().encrypted()) {
            TrustManagerFactory trust = Tls.trust(setting.certificate());
            TrustManager[] managers = trust.getTrustManagers();
            http.sslProvider(setting.over().engine).tlsTrustManagersProvider(() -> managers);
        }
        return S3AsyncClient.builder()
                .httpClientBuilder(http)
                .endpointOverride(setting.endpoint())
                .forcePathStyle(true)
                .region(Region.US_EAST_1)
                .credentialsProvider(credentials());
    }

    static S3AsyncClient crt(Setting setting) {
        return S3AsyncClient.crtBuilder()
                .endpointOverride(setting.endpoint())
                .forcePathStyle(true)
                .region(Region.US_EAST_1)
                .credentialsProvider(credentials())
                .thresholdInBytes(NEVER_IN_PARTS)
                .httpConfiguration(S3CrtHttpConfiguration.builder()
                        .trustAllCertificatesEnabled(setting.over().encrypted())
                        .build())
                .build();
    }

    private static AwsCredentialsProvider credentials() {
        return StaticCredentialsProvider.create(AwsBasicCredentials.create("access", "secret"));
    }
}
