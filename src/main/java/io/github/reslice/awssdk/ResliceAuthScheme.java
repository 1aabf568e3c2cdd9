package io.github.reslice.awssdk;

import io.github.reslice.AwsChunked;
import software.amazon.awssdk.http.auth.aws.scheme.AwsV4AuthScheme;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.identity.spi.IdentityProviders;

/**
 * Puts Reslice's encoder into the AWS SDK's {@code S3AsyncClient}, in place of its own.
 *
 * <pre>{@code
 * S3AsyncClient s3 = S3AsyncClient.builder()
 *         .putAuthScheme(ResliceAuthScheme.create())
 *         .build();
 * }</pre>
 *
 * <p>What goes over the wire stays the same: the same headers and the same {@code aws-chunked} body, for the checksum
 * algorithm and the payload signing that the request asks for. What changes is what it costs, and what happens to wrong
 * bodies and to bodies that are sent twice at once.
 *
 * <p>A path is sent as S3 signs it, each byte percent-encoded but letters, digits, {@code -._~} and {@code /}: as the SDK
 * writes it, so only what an interceptor has written otherwise changes.
 *
 * <p><b>What is encoded.</b> The bodies that the SDK would encode: those of PutObject and UploadPart that have a checksum to
 * compute, or are to be signed. All else is left to the SDK's own signer: requests without a body, bodies that go as they
 * are (a checksum given beforehand, {@code chunkedEncodingEnabled(false)}), those of anonymous requests, checksum algorithms
 * that Reslice does not compute, and other schemes, which are SigV4a and S3 Express. Multipart uploads and the transfer
 * manager are made of these requests.
 *
 * <p><b>Which clients.</b> {@code S3AsyncClient}; it is tested over the SDK's Netty client. The upload of
 * a blocking {@code S3Client} and a presigned one fail with an {@link UnsupportedOperationException} before anything is sent;
 * {@code S3AsyncClient.crtBuilder()} and {@code S3Presigner} sign for themselves and take no scheme.
 *
 * <p><b>Length.</b> S3 wants a body's length before its first byte. One that is not known fails the request with an
 * {@link IllegalArgumentException}; a client with {@code multipartEnabled(true)} takes such bodies. A body that breaks its
 * length fails the request with a {@link io.github.reslice.awschunked.DecodedLengthException} before it is complete. The SDK
 * wraps both in an {@code SdkClientException}: look at its cause.
 *
 * <p><b>Retries.</b> Each attempt signs and encodes from the start, and subscribes to the body again. The checksum is that of
 * what this attempt sends; the SDK's encoder sends its first attempt's again.
 *
 * <p><b>Buffers and demand.</b> As {@link AwsChunked} says: buffers of the body are read and not copied, unsigned ones handed
 * on as they are or as views, and must stay as they are until they are written. Nothing is read beyond what the HTTP client
 * asks for. What is discarded are the caller's {@code ByteBuffer}s, with nothing to
 * release.
 *
 * <p>Immutable and thread-safe.
 *
 * <p>Source: <a href="https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html">Amazon S3 API
 * Reference, signature calculations for trailing headers</a>.
 */
public final class ResliceAuthScheme implements AwsV4AuthScheme {

    private final AwsV4AuthScheme sdk = AwsV4AuthScheme.create();
    private final EncodingSigner signer;

    private ResliceAuthScheme(AwsChunked chunked) {
        signer = new EncodingSigner(sdk.signer(), chunked);
    }

    /**
     * A scheme with chunks of 128 KiB, as the SDK's own encoder has them.
     *
     * @return an immutable object, to be shared
     */
    public static ResliceAuthScheme create() {
        return builder().build();
    }

    /**
     * A builder, for other chunks.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String schemeId() {
        return sdk.schemeId();
    }

    @Override
    public IdentityProvider<AwsCredentialsIdentity> identityProvider(IdentityProviders providers) {
        return sdk.identityProvider(providers);
    }

    @Override
    public AwsV4HttpSigner signer() {
        return signer;
    }

    /** Settings for a {@link ResliceAuthScheme}. Not thread-safe. */
    public static final class Builder {

        private final AwsChunked.Builder chunked = AwsChunked.builder().noChecksum();

        private Builder() {}

        /**
         * Bytes of data in every chunk but the last. 128 KiB by default. MinIO and s3proxy refuse chunks above 16 MiB.
         *
         * @param chunkSize from 8192, S3's minimum
         * @return this
         * @throws IllegalArgumentException if the size is out of bounds
         */
        public Builder chunkSize(int chunkSize) {
            chunked.chunkSize(chunkSize);
            return this;
        }

        /**
         * The scheme.
         *
         * @return an immutable object, to be shared
         */
        public ResliceAuthScheme build() {
            return new ResliceAuthScheme(chunked.build());
        }
    }
}
