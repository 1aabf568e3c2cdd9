package io.github.reslice.awschunked;

import io.github.reslice.awschunked.AwsChunkedException.Reason;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.sigv4.ChunkSignatures;
import io.github.reslice.stage.BufferKind;
import java.security.MessageDigest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is computed over the data while it comes in: the checksum of all, and the signature of each chunk. */
final class Checks {

    private final @Nullable RunningChecksum checksum;
    private final @Nullable ChunkSignatures signatures;
    private final BufferKind.@Nullable Reader reader;

    Checks(@Nullable ChecksumAlgorithm algorithm, @Nullable ChunkSignatures signatures) {
        checksum = algorithm == null ? null : algorithm.start();
        this.signatures = signatures;
        reader = reader(checksum, signatures);
    }

    private static BufferKind.@Nullable Reader reader(
            @Nullable RunningChecksum checksum, @Nullable ChunkSignatures signatures) {
        if (signatures == null) {
            return checksum == null ? null : new ChecksumReader(checksum);
        }
        if (checksum == null) {
            return new OnHeap(signatures::update);
        }
        return new OnHeap((bytes, from, length) -> {
            signatures.update(bytes, from, length);
            checksum.update(bytes, from, length);
        });
    }

    /** Is shown the data, each chunk's before its end; null if nothing depends on it. */
    BufferKind.@Nullable Reader reader() {
        return reader;
    }

    /** Compares the signature of a chunk whose data has come. */
    void endChunk(ChunkHeader header) {
        if (signatures == null) {
            return;
        }
        signatures.endChunk();
        if (!signatures.matches(header.signature())) {
            throw new AwsChunkedException(
                    Reason.CHUNK_SIGNATURE_MISMATCH,
                    header.offset(),
                    "The signature of this chunk of " + header.size() + " bytes is not the one that belongs to it");
        }
    }

    /** Compares the signature of the trailers, if there is to be one. */
    void endTrailers(String lines, byte[] signature, long offset) {
        if (signatures == null) {
            return;
        }
        signatures.endTrailer(lines);
        if (!signatures.matches(signature)) {
            throw new AwsChunkedException(
                    Reason.TRAILER_SIGNATURE_MISMATCH,
                    offset,
                    "The signature of the trailers is not the one that belongs to them");
        }
    }

    /** Compares the checksum, in a time that does not tell where they differ. */
    void endData(ChecksumAlgorithm algorithm, byte[] announced, long offset) {
        byte[] actual = Objects.requireNonNull(checksum).digest();
        if (!MessageDigest.isEqual(actual, announced)) {
            throw new AwsChunkedException(
                    Reason.CHECKSUM_MISMATCH,
                    offset,
                    "The " + algorithm + " checksum of the payload was sent as " + algorithm.encode(announced)
                            + ", that of what came is " + algorithm.encode(actual));
        }
    }
}
