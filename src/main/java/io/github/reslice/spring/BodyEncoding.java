package io.github.reslice.spring;

import io.github.reslice.AwsChunked;
import io.github.reslice.sigv4.SignedHeaders;
import java.util.Map;
import java.util.function.Function;
import org.springframework.core.io.buffer.DataBuffer;
import reactor.core.publisher.Flux;

/** How the filter sends an object: as an unsigned {@code aws-chunked} body, or as a signed one. */
interface BodyEncoding {

    /** What the request says of a body of this length, to be signed; below zero, of one whose length is not known. */
    Map<String, String> headers(long length);

    long encodedLength(long length);

    /** The same for a request that has a checksum in its headers. */
    BodyEncoding withoutChecksum();

    /** Encodes the body of the request that was signed with those headers. */
    Function<Flux<DataBuffer>, Flux<DataBuffer>> operator(DataBufferKind kind, long length, SignedHeaders seed);

    /** {@link AwsChunked}. */
    record Unsigned(AwsChunked chunked) implements BodyEncoding {

        @Override
        public Map<String, String> headers(long length) {
            return length < 0 ? chunked.headers() : chunked.headers(length);
        }

        @Override
        public long encodedLength(long length) {
            return chunked.encodedLength(length);
        }

        @Override
        public BodyEncoding withoutChecksum() {
            return new Unsigned(chunked.toBuilder().noChecksum().build());
        }

        @Override
        public Function<Flux<DataBuffer>, Flux<DataBuffer>> operator(
                DataBufferKind kind, long length, SignedHeaders seed) {
            return length < 0 ? chunked.encode(kind) : chunked.encode(kind, length);
        }
    }

    /** {@link AwsChunked.Signed}. */
    record Signed(AwsChunked.Signed chunked) implements BodyEncoding {

        @Override
        public Map<String, String> headers(long length) {
            return length < 0 ? chunked.headers() : chunked.headers(length);
        }

        @Override
        public long encodedLength(long length) {
            return chunked.encodedLength(length);
        }

        @Override
        public BodyEncoding withoutChecksum() {
            return new Signed(chunked.toBuilder().noChecksum().build().signed());
        }

        @Override
        public Function<Flux<DataBuffer>, Flux<DataBuffer>> operator(
                DataBufferKind kind, long length, SignedHeaders seed) {
            return length < 0 ? chunked.encode(kind, seed) : chunked.encode(kind, length, seed);
        }
    }
}
