package io.github.reslice;

import io.github.reslice.awschunked.Announced;
import io.github.reslice.awschunked.AwsChunkedException;
import io.github.reslice.awschunked.Decoder;
import io.github.reslice.awschunked.Layout;
import io.github.reslice.awschunked.Limits;
import io.github.reslice.awschunked.Mode;
import io.github.reslice.sigv4.ChunkSignatures;
import io.github.reslice.sigv4.SignedHeaders;
import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Stage;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Takes an S3 {@code aws-chunked} body in: gives its payload, and checks what the request announced.
 *
 * <pre>{@code
 * AwsChunkedDecoder decoder = AwsChunkedDecoder.builder()
 *         .decodedLength(length)
 *         .trailer("x-amz-checksum-crc32c")
 *         .build();
 *
 * Flux<ByteBuffer> payload = wire.transform(decoder.decode());       // unsigned
 * Flux<ByteBuffer> payload = wire.transform(decoder.decode(seed));   // every chunk and the trailer signed
 * }</pre>
 *
 * <p>The modes are {@code STREAMING-UNSIGNED-PAYLOAD-TRAILER}, {@code STREAMING-AWS4-HMAC-SHA256-PAYLOAD} and
 * {@code STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER}. As clients differ, hexadecimal digits may be of either case, blanks may
 * stand around a trailer's colon, and a trailer may end in LF CRLF. Everything else is strict: a size is 1 to 16 digits and
 * has no sign, a chunk has no extension but its signature, CRLF stands where it belongs, and nothing follows the end.
 *
 * <p>What is wrong is an {@link AwsChunkedException}, with a {@linkplain AwsChunkedException#reason() reason} that has S3's
 * code, and the offset. <b>By then, payload has been handed on</b>:
 *
 * <table>
 * <caption>What is checked, when, and what it costs</caption>
 * <tr><th>check</th><th>error</th><th>handed on by then</th><th>cost</th></tr>
 * <tr><td>framing, and every bound</td><td>at the wrong byte</td><td>all data before it</td><td>next to nothing</td></tr>
 * <tr><td>smallest chunk</td><td>at the header of the chunk behind it</td><td>the small chunk too</td><td>none</td></tr>
 * <tr><td>declared length</td><td>too long: at the header of the chunk that goes beyond; too short: at the zero
 * chunk</td><td>never more than declared</td><td>none</td></tr>
 * <tr><td>signature of a chunk</td><td>when its last byte has come</td><td>all chunks before it, which were signed, and of
 * this one all but the last piece; with {@link Builder#holdChunkUntilVerified()} nothing of it</td><td>a SHA-256 over the
 * data, an HMAC a chunk</td></tr>
 * <tr><td>announced trailers, their signature, the checksum</td><td>at the last CRLF, in place of completion</td><td>the
 * whole payload</td><td>the checksum over the data</td></tr>
 * </table>
 *
 * <p>So a receiver must not act on the payload before completion: a file is kept aside until then, for example. A body that
 * is cut off is an error too, never a completion.
 *
 * <p><b>What is not announced is not checked</b>: without {@link Builder#decodedLength} any length is taken, and without
 * {@link Builder#trailer} none may come and there is no checksum. {@link Builder#headers} takes all that a request
 * announces. An unsigned body is protected from damage only, not from an attacker.
 *
 * <p>Immutable and thread-safe: make one, share it. Everything that belongs to one body is made when it is subscribed to.
 *
 * <p><b>Buffers.</b> Payload is not copied, but for what {@link Builder#holdChunkUntilVerified()} says: a buffer that holds
 * nothing but one chunk's data is handed on as the same object, else views are. Buffers are read and never touched: neither
 * content nor position nor limit. Their bytes must not change until the receiver has used all pieces. No memory is allocated
 * because of a number in the body, and none is held but the rest of one incoming buffer, one line of framing and the
 * trailers, all within the bounds; and a chunk, where chunks are held.
 *
 * <p><b>Demand</b> is kept to the item; upstream is asked for one buffer at a time, or for everything when the receiver
 * wants everything. Framing is no item. A receiver that asks for exactly as many pieces as there are is told of completion if
 * the decoded length is known; else it must ask for one more, since the last chunk does not say that it is the last.
 *
 * <p><b>Discard.</b> On cancel and on error what is held goes to the {@link Flux#doOnDiscard discard hook}: a buffer of
 * which nothing has been read as itself, else its rest. {@code onErrorContinue} has no meaning here; errors end the stream.
 *
 * <p>Source: <a href="https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html">Amazon S3 API Reference,
 * signature calculations for chunked uploads</a> and <a
 * href="https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html">for trailing headers</a>.
 */
public final class AwsChunkedDecoder {

    private final Announced announced;
    private final Limits limits;
    private final boolean holdsChunks;

    private AwsChunkedDecoder(Announced announced, Limits limits, boolean holdsChunks) {
        limits.check(announced);
        this.announced = announced;
        this.limits = limits;
        this.holdsChunks = holdsChunks;
    }

    /**
     * A builder that announces nothing, with the default bounds.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The operator for an unsigned body.
     *
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if {@link Builder#headers} announced a signed one
     */
    public Function<Flux<ByteBuffer>, Flux<ByteBuffer>> decode() {
        return decode(BufferKind.BYTE_BUFFER);
    }

    /**
     * The operator for a body whose chunks are signed. Mode, decoded length and announced trailers come from the request's
     * headers where the builder was told nothing.
     *
     * @param seed the signed request, with whose signature the body's begin. It is trusted: <b>that it is the one that the
     *     client sent must have been verified</b>, with the client's secret key.
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the request's mode is not a signed one, its headers and the builder contradict
     *     each other, or its headers announce what {@link Builder} refuses: a length that is none, a checksum that cannot be
     *     computed, more trailers than the bound
     */
    public Function<Flux<ByteBuffer>, Flux<ByteBuffer>> decode(SignedHeaders seed) {
        return decode(BufferKind.BYTE_BUFFER, seed);
    }

    /**
     * {@link #decode()} for another kind of buffer.
     *
     * @param <B> the buffer
     * @param kind how to look at it
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if {@link Builder#headers} announced a signed body
     */
    public <B> Function<Flux<B>, Flux<B>> decode(BufferKind<B> kind) {
        Objects.requireNonNull(kind, "kind");
        Announced body = announced.and(Announced.of(Mode.UNSIGNED));
        return Stage.operator(kind, () -> Decoder.unsigned(body, limits, kind));
    }

    /**
     * {@link #decode(SignedHeaders)} for another kind of buffer.
     *
     * @param <B> the buffer
     * @param kind how to look at it
     * @param seed the signed request
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the request's mode is not a signed one, its headers and the builder contradict
     *     each other, or its headers announce what {@link Builder} refuses: a length that is none, a checksum that cannot be
     *     computed, more trailers than the bound
     */
    public <B> Function<Flux<B>, Flux<B>> decode(BufferKind<B> kind, SignedHeaders seed) {
        Objects.requireNonNull(kind, "kind");
        Announced body = announced.and(Announced.in(seed.headers())).requireSigned();
        limits.check(body);
        return holdsChunks
                ? Stage.operator(kind, () -> Decoder.holdingChunks(body, limits, kind, ChunkSignatures.following(seed)))
                : Stage.operator(kind, () -> Decoder.signed(body, limits, kind, ChunkSignatures.following(seed)));
    }

    @Override
    public String toString() {
        return "AwsChunkedDecoder{" + announced + ", " + limits + (holdsChunks ? ", holds chunks}" : "}");
    }

    /** Settings for an {@link AwsChunkedDecoder}. Not thread-safe. */
    public static final class Builder {

        private static final int MAX_HELD_CHUNK = 16 * 1024 * 1024;

        private Announced named = Announced.NOTHING;
        private Announced fromHeaders = Announced.NOTHING;
        private int minChunkSize = Layout.MIN_CHUNK_SIZE;
        private @Nullable Integer maxChunkSize;
        private int maxHeaderLine = 1024;
        private int maxTrailers = 16;
        private int maxTrailerSize = 8 * 1024;
        private boolean holdsChunks;

        private Builder() {}

        /**
         * The payload's length, as {@code x-amz-decoded-content-length} announces it. A body of another length is refused.
         *
         * @param decodedLength bytes, from 0
         * @return this
         * @throws IllegalArgumentException if it is below 0
         */
        public Builder decodedLength(long decodedLength) {
            named = new Announced(null, decodedLength, named.trailers());
            return this;
        }

        /**
         * A trailer that must come, as {@code x-amz-trailer} announces it; to be called for each. That of a checksum,
         * {@code x-amz-checksum-crc32c} for example, has the checksum computed and compared.
         *
         * @param name the field's name, in any case
         * @return this
         * @throws IllegalArgumentException if the name is malformed or reserved, it is a checksum that cannot be computed, or
         *     the second checksum
         */
        public Builder trailer(String name) {
            TreeSet<String> trailers = named.trailers() == null ? new TreeSet<>() : new TreeSet<>(named.trailers());
            trailers.add(name);
            named = new Announced(null, named.decodedLength(), trailers);
            return this;
        }

        /**
         * Takes from a request's headers what they announce: the mode ({@code x-amz-content-sha256}), the decoded length and
         * the trailers. A server takes them from the <em>signed</em> headers. {@code Content-Encoding} is not looked at, since
         * there are clients that do not send {@code aws-chunked} there: the mode alone says so.
         *
         * @param headers the headers, names in any case
         * @return this
         * @throws IllegalArgumentException if the mode is missing or none that can be decoded, or another of these headers is
         *     malformed, announces a trailer twice, or one that {@link #trailer} refuses
         */
        public Builder headers(Map<String, String> headers) {
            fromHeaders = Announced.in(headers);
            return this;
        }

        /**
         * Bytes that every chunk but the last must have: {@value Layout#MIN_CHUNK_SIZE} by default, as S3 wants.
         *
         * @param minChunkSize bytes; 0 or 1 takes all
         * @return this
         * @throws IllegalArgumentException if it is below 0
         */
        public Builder minChunkSize(int minChunkSize) {
            this.minChunkSize = atLeast(0, "smallest chunk", minChunkSize);
            return this;
        }

        /**
         * Bytes that a chunk may have: 1 GiB by default, the largest that the encoder makes, and 16 MiB when chunks are
         * held.
         *
         * @param maxChunkSize bytes, from 1
         * @return this
         * @throws IllegalArgumentException if it is below 1
         */
        public Builder maxChunkSize(int maxChunkSize) {
            this.maxChunkSize = atLeast(1, "largest chunk", maxChunkSize);
            return this;
        }

        /**
         * Bytes that a chunk's header may have without its CRLF: 1024 by default. A signed one needs 82 to 97.
         *
         * @param maxHeaderLine bytes, from 1
         * @return this
         * @throws IllegalArgumentException if it is below 1
         */
        public Builder maxHeaderLine(int maxHeaderLine) {
            this.maxHeaderLine = atLeast(1, "longest header line", maxHeaderLine);
            return this;
        }

        /**
         * How many trailers a request may announce: 16 by default. Others than those are never taken.
         *
         * @param maxTrailers how many, from 0
         * @return this
         * @throws IllegalArgumentException if it is below 0
         */
        public Builder maxTrailers(int maxTrailers) {
            this.maxTrailers = atLeast(0, "number of trailers", maxTrailers);
            return this;
        }

        /**
         * Bytes that all trailers together may have without their line ends, that of their signature too: 8 KiB by default.
         *
         * @param maxTrailerSize bytes, from 0
         * @return this
         * @throws IllegalArgumentException if it is below 0
         */
        public Builder maxTrailerSize(int maxTrailerSize) {
            this.maxTrailerSize = atLeast(0, "size of the trailers", maxTrailerSize);
            return this;
        }

        /**
         * Hands nothing of a chunk on before its signature has been compared. What is held, with the memory that it keeps
         * alive as far as buffers tell, stays under twice the chunk's size, and a chunk may have 16 MiB unless
         * {@link #maxChunkSize} says otherwise; small pieces are copied together for that. An unsigned body has nothing to
         * compare: of it nothing is held.
         *
         * @return this
         */
        public Builder holdChunkUntilVerified() {
            holdsChunks = true;
            return this;
        }

        /**
         * The decoder with these settings.
         *
         * @return an immutable object, to be shared
         * @throws IllegalArgumentException if the headers contradict what was named here, there are more trailers than the
         *     bound, or trailers in a mode that has none
         */
        public AwsChunkedDecoder build() {
            int largest = maxChunkSize != null ? maxChunkSize : holdsChunks ? MAX_HELD_CHUNK : Layout.MAX_CHUNK_SIZE;
            return new AwsChunkedDecoder(
                    named.and(fromHeaders),
                    new Limits(minChunkSize, largest, maxHeaderLine, maxTrailers, maxTrailerSize),
                    holdsChunks);
        }

        private static int atLeast(int least, String what, int value) {
            if (value < least) {
                throw new IllegalArgumentException("The " + what + " must be " + least + " or more, was " + value);
            }
            return value;
        }
    }
}
