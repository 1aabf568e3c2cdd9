package io.github.reslice.awschunked;

import io.github.reslice.awschunked.AwsChunkedException.Reason;
import io.github.reslice.sigv4.ChunkSignatures;
import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Input;
import io.github.reslice.stage.Stage;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads an {@code aws-chunked} body, and hands on its payload as views of what comes in, while it comes in:
 *
 * <pre>
 *     body    = *chunk last trailers CRLF
 *     chunk   = size [";chunk-signature=" signature] CRLF data CRLF
 *     last    = "0"  [";chunk-signature=" signature] CRLF
 *     trailer = name ":" value (CRLF / LF CRLF)
 *               ["x-amz-trailer-signature:" signature CRLF]
 * </pre>
 *
 * <p>Everything that does not follow this, breaks a bound, or is not what was announced or signed is an
 * {@link AwsChunkedException}; {@link AwsChunkedException.Reason} has one for each. What is wrong is found at the same byte however the body
 * is cut into buffers. Nothing is allocated by a number that came in: sizes are compared and counted down.
 *
 * <p>Plain code for one body; {@link Stage#operator} carries it through a {@code Flux}, and
 * {@code io.github.reslice.AwsChunkedDecoder} has the defaults. Bytes are checked when their piece is polled or held, and must not change until it has
 * been used.
 *
 * @param <B> the buffer
 */
public final class Decoder<B> implements Stage<B, B> {

    private enum Step {
        CHUNK_HEADER,
        DATA,
        AFTER_DATA,
        TRAILERS,
        END
    }

    private final Limits limits;
    private final @Nullable Long declared;
    private final Checks checks;
    private final Line line = new Line();
    private final ChunkHeader header;
    private final ChunkData<B> data;
    private final Input<B> input;
    private final TrailerSection trailers;

    private Step step = Step.CHUNK_HEADER;
    private long decoded;
    private int trailerBytesLeft;

    private Decoder(
            Announced announced,
            Limits limits,
            @Nullable ChunkSignatures signatures,
            BiFunction<Checks, ChunkHeader, ChunkData<B>> passing) {
        Objects.requireNonNull(limits, "limits").check(announced);
        this.limits = limits;
        declared = announced.decodedLength();
        checks = new Checks(announced.checksum(), signatures);
        header = new ChunkHeader(signatures != null, limits.maxChunkSize());
        data = passing.apply(checks, header);
        input = data.input();
        trailers = new TrailerSection(announced, checks);
        trailerBytesLeft = limits.maxTrailerSize();
        line.start(Line.Place.CHUNK_HEADER, limits.maxHeaderLine());
    }

    /**
     * A decoder for one unsigned body.
     *
     * @param <B> the buffer
     * @param announced what is known of the body
     * @param limits the bounds of what is taken
     * @param kind how to look at the buffers
     * @return the decoder
     * @throws IllegalArgumentException if what is known does not fit the bounds, or is that the body is signed
     */
    public static <B> Decoder<B> unsigned(Announced announced, Limits limits, BufferKind<B> kind) {
        Announced body = announced.and(Announced.of(Mode.UNSIGNED));
        Objects.requireNonNull(kind, "kind");
        return new Decoder<>(body, limits, null, (checks, header) -> new ChunkData<>(kind, checks, header));
    }

    /**
     * A decoder for one signed body, which hands on a chunk's data while it comes in, and its last piece when the chunk's
     * signature has been compared.
     *
     * @param <B> the buffer
     * @param announced what is known of the body, its mode at least
     * @param limits the bounds of what is taken
     * @param kind how to look at the buffers
     * @param signatures makes the signatures to compare with
     * @return the decoder
     * @throws IllegalArgumentException if what is known does not fit the bounds, or is not that the body is signed
     */
    public static <B> Decoder<B> signed(
            Announced announced, Limits limits, BufferKind<B> kind, ChunkSignatures signatures) {
        Objects.requireNonNull(kind, "kind");
        return new Decoder<>(
                announced.requireSigned(),
                limits,
                Objects.requireNonNull(signatures, "signatures"),
                (checks, header) -> new ChunkData<>(kind, checks, header));
    }

    /**
     * A decoder for one signed body, which hands on nothing of a chunk before its signature has been compared. What is held
     * until then, with the memory that it keeps alive, stays under twice the chunk's size.
     *
     * @param <B> the buffer
     * @param announced what is known of the body, its mode at least
     * @param limits the bounds of what is taken
     * @param kind how to look at the buffers
     * @param signatures makes the signatures to compare with
     * @return the decoder
     * @throws IllegalArgumentException if what is known does not fit the bounds, or is not that the body is signed
     */
    public static <B> Decoder<B> holdingChunks(
            Announced announced, Limits limits, BufferKind<B> kind, ChunkSignatures signatures) {
        Objects.requireNonNull(kind, "kind");
        return new Decoder<>(
                announced.requireSigned(),
                limits,
                Objects.requireNonNull(signatures, "signatures"),
                (checks, header) -> new VerifiedChunkData<>(kind, checks, header));
    }

    @Override
    public void feed(B buffer) {
        input.set(buffer);
    }

    /**
     * {@inheritDoc}
     *
     * @throws AwsChunkedException if the body has not come to its end
     */
    @Override
    public void end() {
        if (step != Step.END) {
            throw truncated();
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws AwsChunkedException if what has come is refused
     */
    @Override
    public @Nullable B poll() {
        while (!input.isEmpty()) {
            if (step == Step.DATA) {
                B piece = data.poll();
                if (data.left() == 0) {
                    expect(Step.AFTER_DATA, Line.Place.AFTER_DATA, 0);
                }
                if (piece != null) {
                    return piece;
                }
            } else {
                readFraming();
            }
        }
        return null;
    }

    /** With the declared length all data has come; without one, with the zero chunk. */
    @Override
    public boolean awaitsOnlyTheEnd() {
        return switch (step) {
            case DATA -> false;
            case CHUNK_HEADER, AFTER_DATA -> declared != null && decoded == declared;
            case TRAILERS, END -> true;
        };
    }

    private void readFraming() {
        if (step == Step.END) {
            throw afterEnd();
        }
        if (line.readFrom(input)) {
            switch (step) {
                case CHUNK_HEADER -> takeHeader();
                case AFTER_DATA -> expect(Step.CHUNK_HEADER, Line.Place.CHUNK_HEADER, limits.maxHeaderLine());
                case TRAILERS -> takeTrailer();
                case DATA, END -> throw new IllegalStateException("no line of framing");
            }
        }
    }

    private void takeHeader() {
        long latestOffset = header.offset();
        int latestSize = header.size();
        header.parse(line);
        if (header.size() == 0) {
            endData();
            return;
        }
        if (decoded > 0 && latestSize < limits.minChunkSize()) {
            throw new AwsChunkedException(
                    Reason.CHUNK_TOO_SMALL,
                    latestOffset,
                    "Every chunk but the last must have " + limits.minChunkSize() + " bytes or more, one has "
                            + latestSize);
        }
        openChunk();
    }

    private void openChunk() {
        if (declared != null && header.size() > declared - decoded) {
            throw new AwsChunkedException(
                    Reason.LONGER_THAN_DECLARED,
                    header.offset(),
                    "The payload is longer than declared: " + declared + " bytes were declared, " + decoded
                            + " have come, and a chunk of " + header.size() + " follows");
        }
        decoded += header.size();
        line.step(header.size());
        data.open();
        step = Step.DATA;
    }

    private void endData() {
        if (declared != null && decoded < declared) {
            throw new AwsChunkedException(
                    Reason.SHORTER_THAN_DECLARED,
                    header.offset(),
                    "The payload is shorter than declared: " + declared + " bytes were declared, " + decoded
                            + " had come when it ended");
        }
        checks.endChunk(header);
        expect(Step.TRAILERS, Line.Place.TRAILER, trailerBytesLeft);
    }

    private void takeTrailer() {
        if (line.length() == 0) {
            trailers.end(line.offset());
            step = Step.END;
        } else {
            trailers.add(line);
            trailerBytesLeft -= line.length();
            expect(Step.TRAILERS, Line.Place.TRAILER, trailerBytesLeft);
        }
    }

    private void expect(Step next, Line.Place place, int mostBytes) {
        step = next;
        line.start(place, mostBytes);
    }

    private AwsChunkedException afterEnd() {
        return new AwsChunkedException(
                Reason.DATA_AFTER_END, line.nextOffset(), "Nothing may follow the end of the body, more came");
    }

    private AwsChunkedException truncated() {
        String missing = switch (step) {
            case CHUNK_HEADER -> "in or before a chunk's header";
            case DATA -> "with " + data.left() + " of a chunk's " + header.size() + " bytes still to come";
            case AFTER_DATA -> "before the CRLF behind a chunk";
            case TRAILERS, END -> "in the trailers or before the last CRLF";
        };
        return new AwsChunkedException(
                Reason.TRUNCATED,
                line.nextOffset() - data.left(),
                "The body ended " + missing + ", after " + (decoded - data.left()) + " bytes of payload");
    }

    @Override
    public void discardUnsent(B piece, Consumer<Object> sink) {
        data.discardUnsent(piece, sink);
    }

    @Override
    public void discard(Consumer<Object> sink) {
        data.discard(sink);
    }
}
