package io.github.reslice.spring;

import io.github.reslice.AwsChunked;
import io.github.reslice.AwsChunkedDecoder;
import io.github.reslice.Checksums;
import io.github.reslice.Reslice;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.SignedHeaders;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import reactor.core.publisher.Flux;

/**
 * Reslice's operators for Spring's {@link DataBuffer}, pooled or not.
 *
 * <pre>{@code
 * Flux<DataBuffer> body = dataBuffers.transform(DataBuffers.encode(chunked, length, bufferFactory));
 * Flux<DataBuffer> parts = dataBuffers.transform(DataBuffers.toSize(5 * 1024 * 1024, bufferFactory));
 * Flux<DataBuffer> checked = download.transform(DataBuffers.verify(ChecksumAlgorithm.CRC32C, "yZRlqg=="));
 * }</pre>
 *
 * <p>For {@code WebClient} there is {@link S3ExchangeFilter}, which does this and signs. The {@code bufferFactory} makes
 * the framing's buffers: take the one of the request or response that the body goes to.
 *
 * <p><b>Buffers.</b> A buffer belongs to the operator once it has come in. One that fits is handed on as the same object;
 * else a pooled one is {@linkplain DataBuffer#split split}, and of an unpooled one views are given. Whoever receives a
 * piece releases it; each is released exactly once, and an incoming buffer's memory is free when its last piece is.
 * Positions are not moved.
 *
 * <p><b>Demand</b> is kept to the item, as in the operators for {@code ByteBuffer}.
 *
 * <p><b>Discard.</b> What is held on cancel and on error is released. <b>If the receiver has a discard hook</b>
 * ({@link Flux#doOnDiscard} downstream, for whatever type), the buffers go there instead, and it must release them:
 * {@code doOnDiscard(DataBuffer.class, DataBufferUtils::release)}. A second release beside the hook's would free memory
 * that is still in use. What operators <em>before</em> this one hold is not its affair: as everywhere in Spring, a source
 * that queues pooled buffers ({@code publishOn}, {@code flatMap}) needs that hook behind it.
 *
 * @see DataBufferUtils#release
 */
public final class DataBuffers {

    private DataBuffers() {}

    /**
     * {@link AwsChunked#encode(long)} for {@code DataBuffer}: the encoding of a body whose length is known.
     *
     * <p>A body that breaks its length fails with a {@link io.github.reslice.awschunked.DecodedLengthException}, before the
     * zero chunk.
     *
     * @param chunked the encoding's settings
     * @param length the payload's length in bytes
     * @param bufferFactory makes the framing's buffers
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the length is below zero
     */
    public static Function<Flux<DataBuffer>, Flux<DataBuffer>> encode(
            AwsChunked chunked, long length, DataBufferFactory bufferFactory) {
        Objects.requireNonNull(chunked, "chunked");
        return chunked.encode(kind(bufferFactory), length);
    }

    /**
     * {@link AwsChunked#encode()} for {@code DataBuffer}: the encoding of a body whose length is not known. Less than one
     * chunk is held.
     *
     * @param chunked the encoding's settings
     * @param bufferFactory makes the framing's buffers
     * @return the function for {@link Flux#transform}
     */
    public static Function<Flux<DataBuffer>, Flux<DataBuffer>> encode(
            AwsChunked chunked, DataBufferFactory bufferFactory) {
        Objects.requireNonNull(chunked, "chunked");
        return chunked.encode(kind(bufferFactory));
    }

    /**
     * {@link AwsChunked.Signed#encode(long, SignedHeaders)} for {@code DataBuffer}: every chunk and the trailers signed. Less
     * than one chunk is held.
     *
     * <p>A body that breaks its length fails with a {@link io.github.reslice.awschunked.DecodedLengthException}, before the
     * zero chunk.
     *
     * @param signed the encoding's settings
     * @param length the payload's length in bytes
     * @param seed the request, signed with {@code signed.headers(length)}
     * @param bufferFactory makes the framing's buffers
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the length is below zero, or the seed was signed for another body
     */
    public static Function<Flux<DataBuffer>, Flux<DataBuffer>> encode(
            AwsChunked.Signed signed, long length, SignedHeaders seed, DataBufferFactory bufferFactory) {
        Objects.requireNonNull(signed, "signed");
        return signed.encode(kind(bufferFactory), length, seed);
    }

    /**
     * {@link AwsChunked.Signed#encode(SignedHeaders)} for {@code DataBuffer}: the signed encoding of a body whose length is
     * not known.
     *
     * @param signed the encoding's settings
     * @param seed the request, signed with {@code signed.headers()}
     * @param bufferFactory makes the framing's buffers
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the seed was signed for another body
     */
    public static Function<Flux<DataBuffer>, Flux<DataBuffer>> encode(
            AwsChunked.Signed signed, SignedHeaders seed, DataBufferFactory bufferFactory) {
        Objects.requireNonNull(signed, "signed");
        return signed.encode(kind(bufferFactory), seed);
    }

    /**
     * {@link AwsChunkedDecoder#decode()} for {@code DataBuffer}: the payload of an unsigned body.
     *
     * <p>What is wrong is an {@link io.github.reslice.awschunked.AwsChunkedException}. Framing is released once it has been
     * read.
     *
     * @param decoder the decoder's settings
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the decoder was told that the body is signed
     */
    public static Function<Flux<DataBuffer>, Flux<DataBuffer>> decode(AwsChunkedDecoder decoder) {
        return decoder.decode(readingOnly());
    }

    /**
     * {@link AwsChunkedDecoder#decode(SignedHeaders)} for {@code DataBuffer}: the payload of a body whose chunks are signed.
     *
     * @param decoder the decoder's settings
     * @param seed the signed request, which must have been verified
     * @param bufferFactory makes the buffers into which a decoder that holds chunks gathers what comes in small pieces
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the request's mode is not a signed one, or its headers and the decoder contradict
     *     each other
     */
    public static Function<Flux<DataBuffer>, Flux<DataBuffer>> decode(
            AwsChunkedDecoder decoder, SignedHeaders seed, DataBufferFactory bufferFactory) {
        return decoder.decode(kind(bufferFactory), seed);
    }

    /**
     * {@link Reslice#toSize(int)} for {@code DataBuffer}: every buffer that size, the last one shorter. What straddles two
     * incoming buffers is copied into one of the factory's, and they are released.
     *
     * @param size bytes in each buffer, from 1
     * @param bufferFactory makes the buffers that are joined
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the size is below 1
     */
    public static Function<Flux<DataBuffer>, Flux<DataBuffer>> toSize(int size, DataBufferFactory bufferFactory) {
        return Reslice.toSize(kind(bufferFactory), size);
    }

    /**
     * {@link Checksums#tap(ChecksumAlgorithm, Consumer)} for {@code DataBuffer}: buffers pass as they are.
     *
     * @param algorithm the algorithm
     * @param checksum receives the value when the stream has ended, before it completes. What it throws becomes the
     *     stream's error.
     * @return the function for {@link Flux#transform}
     */
    public static Function<Flux<DataBuffer>, Flux<DataBuffer>> tap(
            ChecksumAlgorithm algorithm, Consumer<String> checksum) {
        return Checksums.tap(readingOnly(), algorithm, checksum);
    }

    /**
     * {@link Checksums#verify(ChecksumAlgorithm, String)} for {@code DataBuffer}: buffers pass as they are, and a mismatch
     * is a {@link io.github.reslice.checksum.ChecksumMismatchException} in the place of completion.
     *
     * @param algorithm the algorithm
     * @param expected the whole stream's checksum in base64
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the value is not base64 of the algorithm's length
     */
    public static Function<Flux<DataBuffer>, Flux<DataBuffer>> verify(ChecksumAlgorithm algorithm, String expected) {
        return Checksums.verify(readingOnly(), algorithm, expected);
    }

    /**
     * Each buffer's bytes in a {@link ByteBuffer} on the heap, for receivers that do not know {@code DataBuffer}: the AWS SDK,
     * JDK publishers.
     *
     * <pre>{@code
     * AsyncRequestBody body = FluxRequestBody.of(dataBuffers.transform(DataBuffers.toByteBuffers()), length);
     * }</pre>
     *
     * <p>It <b>copies</b>, and releases what it has copied. Views of a pooled buffer could be handed on only to somebody who
     * says when he is done with them, which a receiver of {@code ByteBuffer}s has no means to: the memory would be given to
     * the next user of the pool while it is still being sent. Without such a receiver, stay with {@code DataBuffer}.
     *
     * <p>Empty buffers vanish. Read positions are not moved, so buffers that nobody releases may come a second time. Nothing
     * is held, so there is nothing to discard, and no hook of the receiver's is needed for this operator; one that queues
     * pooled buffers before it needs its own: {@code source.doOnDiscard(DataBuffer.class, DataBufferUtils::release)}.
     *
     * @return the function for {@link Flux#transform}
     */
    public static Function<Flux<DataBuffer>, Flux<ByteBuffer>> toByteBuffers() {
        return source -> source.handle((buffer, sink) -> {
            ByteBuffer copy = copyAndRelease(buffer);
            if (copy.hasRemaining()) {
                sink.next(copy);
            }
        });
    }

    private static ByteBuffer copyAndRelease(DataBuffer buffer) {
        try {
            ByteBuffer copy = ByteBuffer.allocate(buffer.readableByteCount());
            buffer.toByteBuffer(copy);
            return copy.clear();
        } finally {
            DataBufferUtils.release(buffer);
        }
    }

    private static DataBufferKind kind(DataBufferFactory bufferFactory) {
        return new DataBufferKind(Objects.requireNonNull(bufferFactory, "bufferFactory"));
    }

    private static DataBufferKind readingOnly() {
        return new DataBufferKind(DefaultDataBufferFactory.sharedInstance);
    }
}
