package io.github.reslice;

import io.github.reslice.awschunked.KnownLengthEncoder;
import io.github.reslice.awschunked.Layout;
import io.github.reslice.awschunked.SignedEncoder;
import io.github.reslice.awschunked.SignedLayout;
import io.github.reslice.awschunked.Trailer;
import io.github.reslice.awschunked.UnknownLengthEncoder;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.SignedHeaders;
import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Stage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Turns a stream of bytes into an S3 {@code aws-chunked} body: full chunks, the last short one, and the checksum as a
 * trailer.
 *
 * <pre>{@code
 * AwsChunked chunked = AwsChunked.builder().checksum(ChecksumAlgorithm.CRC32C).build();
 *
 * Flux<ByteBuffer> body = source.transform(chunked.encode(length));
 * long contentLength = chunked.encodedLength(length);
 * Map<String, String> headers = chunked.headers(length);
 * }</pre>
 *
 * <p>Immutable and thread-safe: make one, share it. Everything that belongs to one body is made when it is subscribed
 * to, so a second subscription, a retry, or two at once each start fresh.
 *
 * <p><b>Buffers.</b> Payload is not copied, but for what {@link #encode()} says. A buffer that lies inside one chunk is
 * handed on as the same object; one that straddles a chunk's end is handed on as views. Buffers are read and never touched:
 * neither content nor position nor limit. The checksum is taken when a buffer comes in, or with its chunk, so <b>its bytes
 * must not change until the receiver has used all its pieces</b>. A receiver that moves the positions of what it gets, as
 * {@code java.net.http} does, moves those of the source's own buffers: let the source make new buffers, or
 * {@link ByteBuffer#duplicate() duplicates}, for each subscription. A buffer that has been read to its end is empty, and
 * adds nothing to a second subscription's body.
 *
 * <p><b>Demand</b> is kept to the item; upstream is asked for one buffer at a time, or for everything when the receiver
 * wants everything. Every chunk header is an item of its own, and so is the end.
 *
 * <p><b>Discard.</b> On cancel and on error, what is held goes to the {@link Flux#doOnDiscard discard hook}: a buffer of
 * which nothing was given as itself, one partly given as its rest, framing never. Nothing follows an error or a cancel: no
 * zero chunk and no trailer, so that no server takes the body for complete. {@code onErrorContinue} has no meaning here,
 * since a body with bytes left out is corrupt; errors end the stream.
 *
 * <p>Over plain HTTP a body encoded like this is not authenticated: the request's signature does not cover it, and the
 * trailer protects from damage, not from an attacker. {@link #signed()} makes bodies that are.
 *
 * <p>Source: <a href="https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html">Amazon S3 API
 * Reference, signature calculations for trailing headers</a>.
 */
public final class AwsChunked {

    private final Layout layout;
    private final BodyHeaders headers;

    private AwsChunked(Layout layout) {
        this.layout = layout;
        headers = new BodyHeaders(layout.mode(), layout);
    }

    /**
     * A builder with the defaults: 128 KiB chunks and a CRC32 trailer.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * A builder with these settings, to be changed in part.
     *
     * @return a builder
     */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.chunkSize = layout.chunkSize();
        builder.checksum = layout.checksum();
        builder.knownChecksum = layout.knownChecksum();
        builder.trailers.addAll(layout.trailers());
        return builder;
    }

    /**
     * The operator for a body whose length is known. Nothing is held back but the rest of one incoming buffer.
     *
     * <p>A body that breaks its declared length fails with a
     * {@link io.github.reslice.awschunked.DecodedLengthException}, before the zero chunk: a longer one at the first buffer
     * that goes beyond, a shorter one at its end.
     *
     * @param length the payload's length in bytes
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the length is below zero, or the encoded one does not fit into 63 bits
     */
    public Function<Flux<ByteBuffer>, Flux<ByteBuffer>> encode(long length) {
        return encode(BufferKind.BYTE_BUFFER, length);
    }

    /**
     * The operator for a body whose length is not known. Less than one chunk is held until it is full or the body ends; what
     * is held, with the memory that it keeps alive as far as buffers tell (a direct buffer's slice does not), stays under
     * twice the chunk's size. For that, pieces under 1 KiB are copied together, as is a longer one that keeps too much alive,
     * such as the tail of a buffer much larger than a chunk. A buffer that was copied is not itself handed on, nor given to a
     * discard hook.
     *
     * <p><b>Nothing compares the length</b>: a source that gives less on a second subscription makes a shorter body, without an
     * error. Let it make its buffers anew each time.
     *
     * <p>S3 and others refuse a request without {@code x-amz-decoded-content-length}, so a body of unknown length cannot go
     * up as one request there.
     *
     * @return the function for {@link Flux#transform}
     */
    public Function<Flux<ByteBuffer>, Flux<ByteBuffer>> encode() {
        return encode(BufferKind.BYTE_BUFFER);
    }

    /**
     * {@link #encode(long)} for another kind of buffer.
     *
     * @param <B> the buffer
     * @param kind how to look at it
     * @param length the payload's length in bytes
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the length is below zero, or the encoded one does not fit into 63 bits
     */
    public <B> Function<Flux<B>, Flux<B>> encode(BufferKind<B> kind, long length) {
        Objects.requireNonNull(kind, "kind");
        encodedLength(length);
        return Stage.operator(kind, () -> new KnownLengthEncoder<>(layout, kind, length));
    }

    /**
     * {@link #encode()} for another kind of buffer.
     *
     * @param <B> the buffer
     * @param kind how to look at it
     * @return the function for {@link Flux#transform}
     */
    public <B> Function<Flux<B>, Flux<B>> encode(BufferKind<B> kind) {
        Objects.requireNonNull(kind, "kind");
        return Stage.operator(kind, () -> new UnknownLengthEncoder<>(layout, kind));
    }

    /**
     * Bytes in the encoded body: the request's Content-Length.
     *
     * @param length the payload's length in bytes
     * @return the encoded length in bytes
     * @throws IllegalArgumentException if the length is below zero, or the encoded one does not fit into 63 bits
     */
    public long encodedLength(long length) {
        return layout.encodedLength(length);
    }

    /**
     * The request headers for a body whose length is known: {@code Content-Encoding}, {@code x-amz-content-sha256},
     * {@code x-amz-decoded-content-length}, and where there are trailers {@code x-amz-trailer} and
     * {@code x-amz-sdk-checksum-algorithm}. Never Content-Length, which is {@link #encodedLength}, nor Host or
     * Transfer-Encoding.
     *
     * @param length the payload's length in bytes
     * @return the headers, unmodifiable; names are looked up in any case
     * @throws IllegalArgumentException if the length is below zero, or the encoded one does not fit into 63 bits
     */
    public Map<String, String> headers(long length) {
        encodedLength(length);
        return headers.withLength(length);
    }

    /**
     * The request headers for a body whose length is not known: those of {@link #headers(long)} without
     * {@code x-amz-decoded-content-length}.
     *
     * @return the headers, unmodifiable; names are looked up in any case
     */
    public Map<String, String> headers() {
        return headers.withoutLength();
    }

    /**
     * The same settings for bodies in which every chunk is signed, and the trailers.
     *
     * @return an immutable object, to be shared
     */
    public Signed signed() {
        return new Signed(this);
    }

    @Override
    public String toString() {
        return "AwsChunked{chunkSize=" + layout.chunkSize() + ", trailers=" + layout.trailerNames() + "}";
    }

    /**
     * Turns a stream of bytes into an {@code aws-chunked} body in which every chunk is signed, and the trailers: nobody on
     * the way can change, drop or move a byte unnoticed, not even over plain HTTP.
     *
     * <pre>{@code
     * AwsChunked.Signed signed = chunked.signed();
     *
     * SignedHeaders seed = sigv4.sign("PUT", uri, signed.headers(length), credentials);
     * Flux<ByteBuffer> body = source.transform(signed.encode(length, seed));
     * }</pre>
     *
     * <p>The chain of signatures starts with the request's own, the seed: <b>sign each request and each retry anew</b>, and
     * make the body with that seed. The operator refuses one that was signed for another mode, length or trailer.
     *
     * <p>A chunk's header signs its data, so <b>less than one chunk is held</b>, as by {@link AwsChunked#encode()}, and what is
     * said there of pieces that are copied holds here. A buffer is hashed when it comes in, a large one chunk by chunk.
     * What else {@link AwsChunked} says of buffers, demand, discard and sharing holds too.
     */
    public static final class Signed {

        private final AwsChunked settings;
        private final SignedLayout layout;
        private final BodyHeaders headers;

        private Signed(AwsChunked settings) {
            this.settings = settings;
            layout = new SignedLayout(settings.layout);
            headers = new BodyHeaders(layout.mode(), settings.layout);
        }

        /**
         * A builder with these settings, to be changed in part.
         *
         * @return a builder of unsigned bodies; {@link AwsChunked#signed()} comes last
         */
        public Builder toBuilder() {
            return settings.toBuilder();
        }

        /**
         * The operator for a body whose length is known. One that breaks it fails with a
         * {@link io.github.reslice.awschunked.DecodedLengthException}, before the zero chunk: a longer one at the first
         * buffer that goes beyond, a shorter one at its end.
         *
         * @param length the payload's length in bytes
         * @param seed the request, signed with {@link #headers(long)}
         * @return the function for {@link Flux#transform}
         * @throws IllegalArgumentException if the length is below zero, or the encoded one does not fit into 63 bits; or if the
         *     seed was signed with another {@code x-amz-content-sha256}, {@code x-amz-trailer} or
         *     {@code x-amz-decoded-content-length} than this body's
         */
        public Function<Flux<ByteBuffer>, Flux<ByteBuffer>> encode(long length, SignedHeaders seed) {
            return encode(BufferKind.BYTE_BUFFER, length, seed);
        }

        /**
         * The operator for a body whose length is not known. If the seed declares one, the body is held to it.
         *
         * @param seed the request, signed with {@link #headers()}
         * @return the function for {@link Flux#transform}
         * @throws IllegalArgumentException if the seed was signed with another {@code x-amz-content-sha256} or
         *     {@code x-amz-trailer} than this body's, or its {@code x-amz-decoded-content-length} is no number
         */
        public Function<Flux<ByteBuffer>, Flux<ByteBuffer>> encode(SignedHeaders seed) {
            return encode(BufferKind.BYTE_BUFFER, seed);
        }

        /**
         * {@link #encode(long, SignedHeaders)} for another kind of buffer.
         *
         * @param <B> the buffer
         * @param kind how to look at it
         * @param length the payload's length in bytes
         * @param seed the request, signed with {@link #headers(long)}
         * @return the function for {@link Flux#transform}
         * @throws IllegalArgumentException as there
         */
        public <B> Function<Flux<B>, Flux<B>> encode(BufferKind<B> kind, long length, SignedHeaders seed) {
            Objects.requireNonNull(kind, "kind");
            encodedLength(length);
            headers.requireSignedIn(seed, length);
            return Stage.operator(kind, () -> new SignedEncoder<>(layout, kind, seed, length));
        }

        /**
         * {@link #encode(SignedHeaders)} for another kind of buffer.
         *
         * @param <B> the buffer
         * @param kind how to look at it
         * @param seed the request, signed with {@link #headers()}
         * @return the function for {@link Flux#transform}
         * @throws IllegalArgumentException as there
         */
        public <B> Function<Flux<B>, Flux<B>> encode(BufferKind<B> kind, SignedHeaders seed) {
            Objects.requireNonNull(kind, "kind");
            headers.requireSignedIn(seed);
            Long declared = BodyHeaders.declaredLength(seed);
            return declared == null
                    ? Stage.operator(kind, () -> new SignedEncoder<>(layout, kind, seed))
                    : encode(kind, declared, seed);
        }

        /**
         * Bytes in the encoded body: the request's Content-Length.
         *
         * @param length the payload's length in bytes
         * @return the encoded length in bytes
         * @throws IllegalArgumentException if the length is below zero, or the encoded one does not fit into 63 bits
         */
        public long encodedLength(long length) {
            return layout.encodedLength(length);
        }

        /**
         * The request headers to sign and send, as {@link AwsChunked#headers(long)} has them; {@code x-amz-content-sha256}
         * names the signed mode.
         *
         * @param length the payload's length in bytes
         * @return the headers, unmodifiable; names are looked up in any case
         * @throws IllegalArgumentException if the length is below zero, or the encoded one does not fit into 63 bits
         */
        public Map<String, String> headers(long length) {
            encodedLength(length);
            return headers.withLength(length);
        }

        /**
         * The request headers for a body whose length is not known: those of {@link #headers(long)} without
         * {@code x-amz-decoded-content-length}.
         *
         * @return the headers, unmodifiable; names are looked up in any case
         */
        public Map<String, String> headers() {
            return headers.withoutLength();
        }

        @Override
        public String toString() {
            return settings + ".signed()";
        }
    }

    /** Settings for an {@link AwsChunked}. Not thread-safe. */
    public static final class Builder {

        private static final int DEFAULT_CHUNK_SIZE = 128 * 1024;

        private int chunkSize = DEFAULT_CHUNK_SIZE;
        private @Nullable ChecksumAlgorithm checksum = ChecksumAlgorithm.CRC32;
        private @Nullable String knownChecksum;
        private final List<Trailer> trailers = new ArrayList<>();

        private Builder() {}

        /**
         * Bytes of data in every chunk but the last. 128 KiB by default. MinIO and s3proxy refuse chunks above 16 MiB.
         *
         * @param chunkSize from {@value Layout#MIN_CHUNK_SIZE}, S3's minimum, to {@value Layout#MAX_CHUNK_SIZE}
         * @return this
         * @throws IllegalArgumentException if the size is out of bounds
         */
        public Builder chunkSize(int chunkSize) {
            if (chunkSize < Layout.MIN_CHUNK_SIZE || chunkSize > Layout.MAX_CHUNK_SIZE) {
                throw new IllegalArgumentException("The chunk size must be from " + Layout.MIN_CHUNK_SIZE
                        + " (S3's minimum) to " + Layout.MAX_CHUNK_SIZE + " bytes, was " + chunkSize);
            }
            this.chunkSize = chunkSize;
            return this;
        }

        /**
         * The checksum that is computed while the body passes, and sent as its trailer. CRC32 by default, as in the AWS SDKs.
         *
         * @param algorithm the algorithm
         * @return this
         * @throws IllegalArgumentException if it is not {@linkplain ChecksumAlgorithm#isAvailable() available}
         */
        public Builder checksum(ChecksumAlgorithm algorithm) {
            checksum = Objects.requireNonNull(algorithm, "algorithm").requireAvailable();
            knownChecksum = null;
            return this;
        }

        /**
         * A checksum that is known already, sent as the trailer unchanged. The server compares it, so that damage on the way
         * from where it was computed is found too. Nothing is computed, so that the algorithm need not be available.
         *
         * @param algorithm the algorithm
         * @param value the payload's checksum in base64
         * @return this
         * @throws IllegalArgumentException if the value is not base64 of the algorithm's length
         */
        public Builder checksum(ChecksumAlgorithm algorithm, String value) {
            knownChecksum = Objects.requireNonNull(algorithm, "algorithm").requireValue(value);
            checksum = algorithm;
            return this;
        }

        /**
         * No checksum.
         *
         * @return this
         */
        public Builder noChecksum() {
            checksum = null;
            knownChecksum = null;
            return this;
        }

        /**
         * A further trailer, whose value is known only when the body has ended. For receivers that take one: S3 takes the
         * checksum alone.
         *
         * @param name the field's name, an HTTP token
         * @param valueLength characters in the value, which are part of the encoded length
         * @param value gives the value, visible ASCII of that length; asked once for each subscription, when the body has
         *     ended. A value that does not fit fails the body with an {@link IllegalStateException}, before the zero chunk.
         * @return this
         * @throws IllegalArgumentException if the name is malformed or reserved, or the length below zero
         */
        public Builder trailer(String name, int valueLength, Supplier<String> value) {
            trailers.add(new Trailer(name, valueLength, value));
            return this;
        }

        /**
         * The encoding with these settings.
         *
         * @return an immutable object, to be shared
         * @throws IllegalArgumentException if two trailers have the same name, or two are checksums, which S3 refuses
         */
        public AwsChunked build() {
            return new AwsChunked(new Layout(chunkSize, checksum, knownChecksum, trailers));
        }
    }
}
