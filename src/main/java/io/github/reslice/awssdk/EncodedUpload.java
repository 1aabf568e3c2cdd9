package io.github.reslice.awssdk;

import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.sigv4.SigV4;
import io.github.reslice.sigv4.SignedHeaders;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignRequest;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignedRequest;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/** Signs one attempt at a request, and encodes its body. */
final class EncodedUpload {

    private final AsyncSignRequest<? extends AwsCredentialsIdentity> request;
    private final PayloadEncoding encoding;

    EncodedUpload(AsyncSignRequest<? extends AwsCredentialsIdentity> request, PayloadEncoding encoding) {
        this.request = request;
        this.encoding = encoding;
    }

    AsyncSignedRequest signed() {
        long length = length(request.request());
        SdkHttpRequest.Builder sent = encoding.announcedIn(request.request(), length);
        SignedHeaders seed = sign(sent.build());
        sent.encodedPath(seed.uri().getRawPath());
        if (sent.firstMatchingHeader("Host").isEmpty()) {
            sent.putHeader("Host", seed.uri().getRawAuthority());
        }
        for (String name : List.of("Authorization", "X-Amz-Date", "X-Amz-Security-Token")) {
            Optional.ofNullable(seed.headers().get(name)).ifPresent(value -> sent.putHeader(name, value));
        }
        return AsyncSignedRequest.builder()
                .request(sent.build())
                .payload(Flux.from(request.payload().orElseThrow()).transform(encoding.operator(length, seed)))
                .build();
    }

    /** The object's own length, in the header where the SDK puts it and in that where it has been moved to. */
    private static long length(SdkHttpRequest request) {
        return Stream.of("x-amz-decoded-content-length", "Content-Length")
                .flatMap(name -> request.firstMatchingHeader(name).stream())
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "The body's length is not known, and S3 wants it before the first byte: give it by contentLength(n)"
                                + " on the request, or build the S3AsyncClient with multipartEnabled(true)"));
    }

    private SignedHeaders sign(SdkHttpRequest sent) {
        requireEncodedPath(sent.encodedPath());
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        sent.forEachHeader((name, values) -> headers.put(name, joined(values)));
        headers.remove("X-Forwarded-For"); // the SDK does not sign it, and SigV4 would
        return SigV4.builder()
                .region(request.requireProperty(AwsV4HttpSigner.REGION_NAME))
                .service(request.requireProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME))
                .clock(request.requireProperty(HttpSigner.SIGNING_CLOCK, Clock.systemUTC()))
                .build()
                .sign(sent.method().name(), sent.getUri(), headers, credentials(request.identity()));
    }

    /** As an interceptor may have made it: the object would go to the key before the question mark. */
    private static void requireEncodedPath(String path) {
        String before = path.replaceFirst("[?#].*", "");
        if (!before.equals(path)) {
            throw new IllegalArgumentException("The path has a '" + path.charAt(before.length()) + "' behind " + before
                    + ": write it %3F or %23, and give the query's parameters by putRawQueryParameter");
        }
    }

    /** Each is a line of its own on the wire, around whose value a server ignores white space. */
    private static String joined(List<String> values) {
        return values.stream().map(String::strip).collect(Collectors.joining(","));
    }

    /** Without the line end of the file that they were read from, as the SDK takes them. */
    private static AwsCredentials credentials(AwsCredentialsIdentity identity) {
        String accessKey = identity.accessKeyId().strip();
        String secretKey = identity.secretAccessKey().strip();
        return identity instanceof AwsSessionCredentialsIdentity session
                ? AwsCredentials.of(accessKey, secretKey, session.sessionToken().strip())
                : AwsCredentials.of(accessKey, secretKey);
    }
}
