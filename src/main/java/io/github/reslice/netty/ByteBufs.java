package io.github.reslice.netty;

import io.github.reslice.AwsChunked;
import io.github.reslice.AwsChunkedDecoder;
import io.github.reslice.Checksums;
import io.github.reslice.Reslice;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.SignedHeaders;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.publisher.Flux;

/**
 * Reslice's operators for Netty's {@link ByteBuf}, of any allocator, on the heap or direct: what Reactor Netty's
 * {@code HttpClient} sends and receives.
 *
 * <pre>{@code
 * HttpClient.create()
 *         .headers(headers -> {
 *             signed.headers().forEach(headers::set);
 *             headers.set("Content-Length", chunked.encodedLength(length));
 *         })
 *         .put()
 *         .uri(signed.uri())
 *         .send(byteBufs.transform(ByteBufs.encode(chunked, length)))
 *         .response();
 * }</pre>
 *
 * <p><b>Buffers.</b> A buffer belongs to the operator once it has come in. One that fits is handed on as the same object, else
 * retained slices of it are, and it is the last piece itself. Whoever receives a piece releases it; each is released exactly
 * once, and an incoming buffer's memory is free when its last piece is. Pieces share the memory of the buffer that they come
 * from, so a receiver must not write beyond its own.
 *
 * <p><b>Demand</b> is kept to the item, as in the operators for {@code ByteBuffer}.
 *
 * <p><b>Discard.</b> What is held on cancel and on error is released. <b>If the receiver has a discard hook</b>
 * ({@link Flux#doOnDiscard} downstream, for whatever type), the buffers go there instead, and it must release them:
 * {@code doOnDiscard(ByteBuf.class, ByteBuf::release)}. Framing is released in any case. What operators <em>before</em> this one
 * hold is not its affair: a source that queues buffers ({@code publishOn}, {@code flatMap}) needs that hook behind it.
 */
public final class ByteBufs {

    private static final ByteBufKind KIND = new ByteBufKind(ByteBufAllocator.DEFAULT);

    private ByteBufs() {}

    /**
     * {@link AwsChunked#encode(long)} for {@code ByteBuf}: the encoding of a body whose length is known, with a header of
     * Netty's default allocator.
     *
     * <p>A body that breaks its length fails with a {@link io.github.reslice.awschunked.DecodedLengthException}, before the
     * zero chunk.
     *
     * @param chunked the encoding's settings
     * @param length the payload's length in bytes
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the length is below zero, or the encoded one does not fit into 63 bits
     */
    public static Function<Flux<ByteBuf>, Flux<ByteBuf>> encode(AwsChunked chunked, long length) {
        return Objects.requireNonNull(chunked, "chunked").encode(KIND, length);
    }

    /**
     * {@link #encode(AwsChunked, long)} with the header of an allocator. The header of full chunks is one buffer, which lasts
     * as long as the subscription or, if that is longer, as its pieces do; they are retained duplicates of it. Those of
     * {@link io.netty.buffer.PooledByteBufAllocator} come out of Netty's recycler: made and released on an event loop, they
     * allocate nothing.
     *
     * @param chunked the encoding's settings
     * @param length the payload's length in bytes
     * @param allocator makes the header
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the length is below zero, or the encoded one does not fit into 63 bits
     */
    public static Function<Flux<ByteBuf>, Flux<ByteBuf>> encode(
            AwsChunked chunked, long length, ByteBufAllocator allocator) {
        return Objects.requireNonNull(chunked, "chunked").encode(new ByteBufKind(allocator), length);
    }

    /**
     * {@link AwsChunked#encode()} for {@code ByteBuf}: the encoding of a body whose length is not known. Less than one chunk is
     * held, and small pieces are copied together, as is said there.
     *
     * @param chunked the encoding's settings
     * @return the function for {@link Flux#transform}
     */
    public static Function<Flux<ByteBuf>, Flux<ByteBuf>> encode(AwsChunked chunked) {
        return Objects.requireNonNull(chunked, "chunked").encode(KIND);
    }

    /**
     * {@link #encode(AwsChunked)} with the header of an allocator, as {@link #encode(AwsChunked, long, ByteBufAllocator)} has
     * it.
     *
     * @param chunked the encoding's settings
     * @param allocator makes the header
     * @return the function for {@link Flux#transform}
     */
    public static Function<Flux<ByteBuf>, Flux<ByteBuf>> encode(AwsChunked chunked, ByteBufAllocator allocator) {
        return Objects.requireNonNull(chunked, "chunked").encode(new ByteBufKind(allocator));
    }

    /**
     * {@link AwsChunked.Signed#encode(long, SignedHeaders)} for {@code ByteBuf}: every chunk and the trailers signed. Less than
     * one chunk is held, and small pieces are copied together, as by {@link #encode(AwsChunked)}.
     *
     * <p>A body that breaks its length fails with a {@link io.github.reslice.awschunked.DecodedLengthException}, before the
     * zero chunk.
     *
     * @param signed the encoding's settings
     * @param length the payload's length in bytes
     * @param seed the request, signed with {@code signed.headers(length)}
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the length is below zero, or the encoded one does not fit into 63 bits; or if the
     *     seed was signed for another body
     */
    public static Function<Flux<ByteBuf>, Flux<ByteBuf>> encode(
            AwsChunked.Signed signed, long length, SignedHeaders seed) {
        return Objects.requireNonNull(signed, "signed").encode(KIND, length, seed);
    }

    /**
     * {@link AwsChunked.Signed#encode(SignedHeaders)} for {@code ByteBuf}: the signed encoding of a body whose length is not
     * known.
     *
     * @param signed the encoding's settings
     * @param seed the request, signed with {@code signed.headers()}
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the seed was signed for another body
     */
    public static Function<Flux<ByteBuf>, Flux<ByteBuf>> encode(AwsChunked.Signed signed, SignedHeaders seed) {
        return Objects.requireNonNull(signed, "signed").encode(KIND, seed);
    }

    /**
     * {@link AwsChunkedDecoder#decode()} for {@code ByteBuf}: the payload of an unsigned body.
     *
     * <p>What is wrong is an {@link io.github.reslice.awschunked.AwsChunkedException}. Framing is released once it has been
     * read.
     *
     * @param decoder the decoder's settings
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the decoder was told that the body is signed
     */
    public static Function<Flux<ByteBuf>, Flux<ByteBuf>> decode(AwsChunkedDecoder decoder) {
        return Objects.requireNonNull(decoder, "decoder").decode(KIND);
    }

    /**
     * {@link AwsChunkedDecoder#decode(SignedHeaders)} for {@code ByteBuf}: the payload of a body whose chunks are signed.
     *
     * @param decoder the decoder's settings
     * @param seed the signed request, which must have been verified
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the request's mode is not a signed one, or its headers and the decoder contradict
     *     each other
     */
    public static Function<Flux<ByteBuf>, Flux<ByteBuf>> decode(AwsChunkedDecoder decoder, SignedHeaders seed) {
        return Objects.requireNonNull(decoder, "decoder").decode(KIND, seed);
    }

    /**
     * {@link Reslice#toSize(int)} for {@code ByteBuf}: every buffer that size, the last one shorter. What straddles two incoming
     * buffers is copied into one on the heap, and they are released.
     *
     * @param size bytes in each buffer, from 1 to 1 GiB
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the size is out of bounds
     */
    public static Function<Flux<ByteBuf>, Flux<ByteBuf>> toSize(int size) {
        return Reslice.toSize(KIND, size);
    }

    /**
     * {@link Checksums#tap(ChecksumAlgorithm, Consumer)} for {@code ByteBuf}: buffers pass as they are.
     *
     * @param algorithm the algorithm
     * @param checksum receives the value when the stream has ended, before it completes. What it throws becomes the
     *     stream's error.
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the algorithm is not {@linkplain ChecksumAlgorithm#isAvailable() available}
     */
    public static Function<Flux<ByteBuf>, Flux<ByteBuf>> tap(ChecksumAlgorithm algorithm, Consumer<String> checksum) {
        return Checksums.tap(KIND, algorithm, checksum);
    }

    /**
     * {@link Checksums#verify(ChecksumAlgorithm, String)} for {@code ByteBuf}: buffers pass as they are, and a mismatch is a
     * {@link io.github.reslice.checksum.ChecksumMismatchException} in the place of completion.
     *
     * @param algorithm the algorithm
     * @param expected the whole stream's checksum in base64
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the value is not base64 of the algorithm's length, or the algorithm is not
     *     {@linkplain ChecksumAlgorithm#isAvailable() available}
     */
    public static Function<Flux<ByteBuf>, Flux<ByteBuf>> verify(ChecksumAlgorithm algorithm, String expected) {
        return Checksums.verify(KIND, algorithm, expected);
    }
}
