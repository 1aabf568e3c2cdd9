package io.github.reslice;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.ChecksumMismatchException;
import io.github.reslice.checksum.CrcCombination;
import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Stage;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.publisher.Flux;

/**
 * Checksums of a stream, taken while its bytes pass. Values are in base64, as S3 writes them.
 *
 * <pre>{@code
 * Flux<ByteBuffer> checked = download.transform(Checksums.verify(ChecksumAlgorithm.CRC32C, "yZRlqg=="));
 * Flux<ByteBuffer> tapped = upload.transform(Checksums.tap(ChecksumAlgorithm.SHA256, value -> log.info(value)));
 * String whole = Checksums.combine(ChecksumAlgorithm.CRC32, first, second, secondLength);
 * }</pre>
 *
 * <p><b>Buffers</b> are handed on as they come, the same objects, and are read without being touched. They must not change
 * until the receiver has used them.
 *
 * <p><b>Demand</b> passes one to one.
 *
 * <p><b>Discard.</b> At most one buffer is held; on cancel and on error it goes to the {@link Flux#doOnDiscard discard
 * hook}. {@code onErrorContinue} has no meaning here: errors end the stream.
 */
public final class Checksums {

    private Checksums() {}

    /**
     * Computes the checksum of a stream.
     *
     * @param algorithm the algorithm
     * @param checksum receives the value when the stream has ended, before it completes; not when it fails or is cancelled.
     *     What it throws becomes the stream's error.
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the algorithm is not {@linkplain ChecksumAlgorithm#isAvailable() available}
     */
    public static Function<Flux<ByteBuffer>, Flux<ByteBuffer>> tap(
            ChecksumAlgorithm algorithm, Consumer<String> checksum) {
        return tap(BufferKind.BYTE_BUFFER, algorithm, checksum);
    }

    /**
     * {@link #tap(ChecksumAlgorithm, Consumer)} for another kind of buffer.
     *
     * @param <B> the buffer
     * @param kind how to look at it
     * @param algorithm the algorithm
     * @param checksum receives the value
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException as there
     */
    public static <B> Function<Flux<B>, Flux<B>> tap(
            BufferKind<B> kind, ChecksumAlgorithm algorithm, Consumer<String> checksum) {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(algorithm, "algorithm").requireAvailable();
        Objects.requireNonNull(checksum, "checksum");
        return Stage.operator(kind, () -> new ChecksumStage<>(kind, algorithm, checksum));
    }

    /**
     * Compares a stream's checksum with the expected one. A mismatch is a
     * {@link ChecksumMismatchException} with both values in the place of completion: <b>all bytes have been handed on by
     * then</b>, so do not act on them before the stream completes.
     *
     * @param algorithm the algorithm
     * @param expected the whole stream's checksum in base64
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException if the value is not base64 of the algorithm's length, or is the checksum of a
     *     multipart object's part checksums ({@code ...-2}), which says nothing about its bytes; or if the algorithm is not
     *     {@linkplain ChecksumAlgorithm#isAvailable() available}
     */
    public static Function<Flux<ByteBuffer>, Flux<ByteBuffer>> verify(ChecksumAlgorithm algorithm, String expected) {
        return verify(BufferKind.BYTE_BUFFER, algorithm, expected);
    }

    /**
     * {@link #verify(ChecksumAlgorithm, String)} for another kind of buffer.
     *
     * @param <B> the buffer
     * @param kind how to look at it
     * @param algorithm the algorithm
     * @param expected the whole stream's checksum in base64
     * @return the function for {@link Flux#transform}
     * @throws IllegalArgumentException as there
     */
    public static <B> Function<Flux<B>, Flux<B>> verify(
            BufferKind<B> kind, ChecksumAlgorithm algorithm, String expected) {
        Objects.requireNonNull(algorithm, "algorithm").requireValue(expected);
        return tap(kind, algorithm, actual -> {
            if (!MessageDigest.isEqual(actual.getBytes(US_ASCII), expected.getBytes(US_ASCII))) {
                throw new ChecksumMismatchException(algorithm, expected, actual);
            }
        });
    }

    /**
     * The CRC of two stretches of bytes in a row, from their CRCs and the second one's length alone. For CRC32, CRC32C and
     * CRC64NVME, whose parts make S3's {@code FULL_OBJECT} checksum.
     *
     * @param algorithm CRC32, CRC32C or CRC64NVME
     * @param first the first stretch's CRC in base64
     * @param second the second stretch's CRC in base64
     * @param secondLength the second stretch's length in bytes
     * @return the CRC of both together in base64
     * @throws IllegalArgumentException if the algorithm's values cannot be combined, a value is malformed, or the length is
     *     below zero
     */
    public static String combine(ChecksumAlgorithm algorithm, String first, String second, long secondLength) {
        return CrcCombination.of(algorithm).combine(first, second, secondLength);
    }

    /**
     * The CRC of any number of stretches of bytes in a row, from their CRCs and lengths alone.
     *
     * @param algorithm CRC32, CRC32C or CRC64NVME
     * @param parts the stretches in order; of none, the CRC of nothing
     * @return the CRC of all together in base64
     * @throws IllegalArgumentException if the algorithm's values cannot be combined, or a value is malformed
     */
    public static String combine(ChecksumAlgorithm algorithm, List<CrcCombination.Part> parts) {
        return CrcCombination.of(algorithm).combine(parts);
    }
}
