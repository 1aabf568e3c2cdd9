package io.github.reslice.benchmarks;

import io.github.reslice.AwsChunked;
import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.sigv4.SigV4;
import io.github.reslice.sigv4.SignedHeaders;
import java.net.URI;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;

/** A body whose chunks are signed, with the request that its signatures follow from. */
record SignedBody(AwsChunked.Signed signed, long length, SignedHeaders seed) {

    SignedBody(AwsChunked chunked, long length) {
        this(chunked.signed(), length, sign(chunked.signed(), length));
    }

    private static SignedHeaders sign(AwsChunked.Signed signed, long length) {
        return SigV4.builder()
                .region("us-east-1")
                .build()
                .sign(
                        "PUT",
                        URI.create("https://example.com/bucket/key"),
                        signed.headers(length),
                        AwsCredentials.of("access", "secret"));
    }

    long encodedLength() {
        return signed.encodedLength(length);
    }

    Flux<ByteBuffer> encode(Flux<ByteBuffer> source) {
        return source.transform(signed.encode(length, seed));
    }

    Flux<ByteBuffer> encodeOfUnknownLength(Flux<ByteBuffer> source) {
        return source.transform(signed.encode(seed));
    }
}
