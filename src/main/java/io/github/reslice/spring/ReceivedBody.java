package io.github.reslice.spring;

import io.github.reslice.AwsChunkedDecoder;
import io.github.reslice.Reslice;
import io.github.reslice.awschunked.AwsChunkedException;
import io.github.reslice.awschunked.Mode;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.ChecksumMismatchException;
import io.github.reslice.sigv4.SignedHeaders;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import reactor.core.publisher.Flux;

/**
 * The body of a verified request: what its headers say of it, what is checked while it is read, and with which headers the
 * controller gets it. The last buffer is held until all has been checked, so that a reader which knows the length does not
 * find the body whole before that. It remembers why it was refused, since Spring wraps what goes wrong while a body is read.
 */
final class ReceivedBody {

    private static final String DECODED_LENGTH = "x-amz-decoded-content-length";
    private static final String CONTENT_MD5 = "Content-MD5";
    private static final String TRAILER = "x-amz-trailer";

    private final List<Function<Flux<DataBuffer>, Flux<DataBuffer>>> checks = new ArrayList<>();
    private final AtomicReference<@Nullable Refusal> refusal = new AtomicReference<>();
    private final HttpHeaders headers;

    /**
     * Reads the headers.
     *
     * @throws RefusedRequestException if they do not go together
     */
    ReceivedBody(
            ServerHttpRequest request,
            SignedHeaders seed,
            String contentSha256,
            Function<Mode, AwsChunkedDecoder.Builder> decoders,
            DataBufferFactory bufferFactory) {
        headers = new HttpHeaders();
        HttpHeaders received = request.getHeaders();
        received.headerNames().forEach(name -> headers.put(name, new ArrayList<>(received.getOrEmpty(name))));
        if (contentSha256.startsWith("STREAMING-")) {
            decode(Mode.of(contentSha256), seed, decoders, bufferFactory);
        } else {
            requireNotEncoded(contentSha256);
            requireNoTrailer(contentSha256);
            if (!contentSha256.equals("UNSIGNED-PAYLOAD")) {
                verify(
                        ChecksumAlgorithm.SHA256,
                        ChecksumAlgorithm.SHA256.encode(HexFormat.of().parseHex(contentSha256)),
                        "XAmzContentSHA256Mismatch");
            }
        }
        if (!isCompletion(request)) {
            verifyChecksum(seed);
        }
        if (headers.containsHeader(CONTENT_MD5)) {
            verify(ChecksumAlgorithm.MD5, CONTENT_MD5);
        }
        if (!checks.isEmpty() && headers.getContentLength() >= 0) {
            long length = headers.getContentLength();
            checks.add(Reslice.exactLength(new DataBufferKind(bufferFactory), length));
        }
    }

    private void decode(
            Mode mode,
            SignedHeaders seed,
            Function<Mode, AwsChunkedDecoder.Builder> decoders,
            DataBufferFactory bufferFactory) {
        String length = seed.headers().get(DECODED_LENGTH);
        if (length == null) {
            throw new RefusedRequestException(
                    411, "MissingContentLength", "The header " + DECODED_LENGTH + " is missing");
        }
        Function<Flux<DataBuffer>, Flux<DataBuffer>> decoding;
        try {
            AwsChunkedDecoder decoder =
                    decoders.apply(mode).headers(seed.headers()).build();
            decoding = mode.isSigned() ? DataBuffers.decode(decoder, seed, bufferFactory) : DataBuffers.decode(decoder);
        } catch (IllegalArgumentException e) {
            throw new RefusedRequestException(400, "InvalidRequest", Objects.requireNonNull(e.getMessage()));
        }
        checks.add(body -> body.transform(decoding)
                .doOnError(AwsChunkedException.class, e -> refusal.compareAndSet(null, Refusal.of(e))));

        List<String> encodings = ContentEncoding.ofObject(headers);
        headers.remove(HttpHeaders.CONTENT_ENCODING);
        if (!encodings.isEmpty()) {
            headers.set(HttpHeaders.CONTENT_ENCODING, String.join(",", encodings));
        }
        headers.remove(HttpHeaders.TRANSFER_ENCODING);
        headers.remove(TRAILER);
        headers.setContentLength(Long.parseLong(length.strip())); // which the decoder has looked at
    }

    private void requireNotEncoded(String contentSha256) {
        if (ContentEncoding.isAwsChunked(headers)) {
            throw new RefusedRequestException(
                    400,
                    "InvalidArgument",
                    "The Content-Encoding is aws-chunked, but x-amz-content-sha256 is no streaming mode: "
                            + contentSha256);
        }
    }

    /** What was announced for there could not be checked. */
    private void requireNoTrailer(String contentSha256) {
        if (headers.containsHeader(TRAILER)) {
            throw new RefusedRequestException(
                    400,
                    "InvalidRequest",
                    "The header " + TRAILER + " needs a streaming mode, but x-amz-content-sha256 is " + contentSha256);
        }
    }

    /** CompleteMultipartUpload has a checksum of the object, not of its body. */
    private static boolean isCompletion(ServerHttpRequest request) {
        return HttpMethod.POST.equals(request.getMethod())
                && S3ExchangeFilter.queryNames(request.getURI()).contains("uploadId");
    }

    private void verifyChecksum(SignedHeaders seed) {
        List<String> names = Stream.concat(
                        headers.headerNames().stream(),
                        Stream.of(seed.headers().getOrDefault(TRAILER, "").split(",")))
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .filter(ChecksumHeader::is)
                .toList();
        if (names.size() > 1) {
            throw new RefusedRequestException(
                    400,
                    "InvalidRequest",
                    "There may be one checksum, in a header or in the trailer; there are " + names);
        }
        for (String name : names) {
            if (headers.containsHeader(name)) {
                verify(algorithm(name), name);
            }
        }
    }

    private static ChecksumAlgorithm algorithm(String headerName) {
        return ChecksumAlgorithm.ofHeader(headerName)
                .filter(ChecksumAlgorithm::isAvailable)
                .orElseThrow(() -> new RefusedRequestException(
                        501,
                        "NotImplemented",
                        "The checksum " + headerName + " cannot be computed here, and is not left unchecked"));
    }

    private void verify(ChecksumAlgorithm algorithm, String headerName) {
        try {
            verify(algorithm, String.join(",", headers.getOrEmpty(headerName)).strip(), "BadDigest");
        } catch (IllegalArgumentException e) {
            throw new RefusedRequestException(
                    400, "InvalidRequest", "The header " + headerName + " cannot be read: " + e.getMessage());
        }
    }

    private void verify(ChecksumAlgorithm algorithm, String expected, String s3Code) {
        Function<Flux<DataBuffer>, Flux<DataBuffer>> verification = DataBuffers.verify(algorithm, expected);
        checks.add(body -> body.transform(verification).doOnError(ChecksumMismatchException.class, e -> {
            refusal.compareAndSet(null, new Refusal(400, s3Code, Objects.requireNonNull(e.getMessage())));
        }));
    }

    /** What the controller gets of what came in. */
    Flux<DataBuffer> checked(Flux<DataBuffer> received) {
        Flux<DataBuffer> body = received;
        for (Function<Flux<DataBuffer>, Flux<DataBuffer>> check : checks) {
            // a reader's own hook may be for anything: the one of Spring's multipart reader is for parts
            body = body.transform(DiscardHook.inPlaceOfReceivers(check));
        }
        return body;
    }

    /** The headers that go with it. */
    HttpHeaders headers() {
        return HttpHeaders.readOnlyHttpHeaders(headers);
    }

    /** Why the body was refused while it was read; null if it was not. */
    @Nullable
    Refusal refusal() {
        return refusal.get();
    }
}
