package io.github.reslice.awssdk;

import io.github.reslice.AwsChunked;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.SignedHeaders;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/**
 * The encoding of one request's body.
 *
 * @param chunked the chunks and the checksum
 * @param signed whether each chunk is signed, and the trailer
 */
record PayloadEncoding(AwsChunked chunked, boolean signed) {

    /** The encoding that the SDK's own signer would give this body, if it would give it one that Reslice has. */
    static Optional<PayloadEncoding> of(
            AsyncSignRequest<? extends AwsCredentialsIdentity> request, AwsChunked chunked) {
        if (!mayBeEncoded(request)) {
            return Optional.empty();
        }
        // over plain HTTP the SDK's asynchronous clients sign no payload, whatever they are told
        boolean signed = request.request().protocol().equals("https")
                && request.requireProperty(AwsV4FamilyHttpSigner.PAYLOAD_SIGNING_ENABLED, true);
        Optional<String> checksum = checksumHeader(request).filter(name -> !hasHeader(request, name));
        if (checksum.isEmpty()) {
            return signed ? Optional.of(new PayloadEncoding(chunked, true)) : Optional.empty();
        }
        return checksum.flatMap(ChecksumAlgorithm::ofHeader)
                .filter(ChecksumAlgorithm::isAvailable)
                .map(algorithm -> new PayloadEncoding(
                        chunked.toBuilder().checksum(algorithm).build(), signed));
    }

    private static boolean mayBeEncoded(AsyncSignRequest<? extends AwsCredentialsIdentity> request) {
        return request.payload().isPresent()
                && request.requireProperty(AwsV4FamilyHttpSigner.CHUNK_ENCODING_ENABLED, false)
                && request.identity().accessKeyId() != null
                && isForS3(request)
                && !hasHeader(request, "x-amz-trailer");
    }

    /** Only S3 signs the path as it is sent. */
    private static boolean isForS3(AsyncSignRequest<? extends AwsCredentialsIdentity> request) {
        return !request.requireProperty(AwsV4FamilyHttpSigner.DOUBLE_URL_ENCODE, true)
                && !request.requireProperty(AwsV4FamilyHttpSigner.NORMALIZE_PATH, true);
    }

    private static Optional<String> checksumHeader(AsyncSignRequest<? extends AwsCredentialsIdentity> request) {
        return Optional.ofNullable(request.property(AwsV4FamilyHttpSigner.CHECKSUM_ALGORITHM))
                .map(algorithm -> "x-amz-checksum-" + algorithm.algorithmId().toLowerCase(Locale.ROOT));
    }

    private static boolean hasHeader(AsyncSignRequest<? extends AwsCredentialsIdentity> request, String name) {
        return request.request().firstMatchingHeader(name).isPresent();
    }

    /** The request as it is signed: with what it says of its encoded body. */
    SdkHttpRequest.Builder announcedIn(SdkHttpRequest request, long length) {
        Map<String, String> headers = signed ? chunked.signed().headers(length) : chunked.headers(length);
        long encodedLength = signed ? chunked.signed().encodedLength(length) : chunked.encodedLength(length);
        SdkHttpRequest.Builder announced =
                request.toBuilder().putHeader("Content-Length", Long.toString(encodedLength));
        headers.forEach((name, value) -> {
            switch (name) {
                case "Content-Encoding" -> announced.appendHeader(name, value);
                case "x-amz-sdk-checksum-algorithm" -> {
                    // has been set by the SDK, where it wants it
                }
                default -> announced.putHeader(name, value);
            }
        });
        return announced;
    }

    /** Encodes the body of the request that was signed with those headers. */
    Function<Flux<ByteBuffer>, Flux<ByteBuffer>> operator(long length, SignedHeaders seed) {
        return signed ? chunked.signed().encode(length, seed) : chunked.encode(length);
    }
}
