package io.github.reslice.benchmarks;

import io.github.reslice.AwsChunked;
import io.github.reslice.AwsChunkedDecoder;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.sigv4.SigV4;
import io.github.reslice.sigv4.SignedHeaders;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import reactor.core.publisher.Flux;

/**
 * The same body with every chunk signed, and the way back of both; beside it what must be computed in any case, the
 * checksum and the SHA-256. What is decoded comes in buffers of 16 KiB that are cut without regard to the framing.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SignedAndDecodingBenchmark {

    private static final AwsChunked CHUNKED = AwsChunked.builder()
            .chunkSize(EncodingBenchmark.CHUNK_SIZE)
            .checksum(ChecksumAlgorithm.CRC32C)
            .build();
    private static final AwsChunked.Signed SIGNED = CHUNKED.signed();
    private static final SignedHeaders SEED = SigV4.builder()
            .region("us-east-1")
            .build()
            .sign(
                    "PUT",
                    URI.create("https://example.com/bucket/key"),
                    SIGNED.headers(Payload.LENGTH),
                    AwsCredentials.of("access", "secret"));
    private static final AwsChunkedDecoder DECODER = AwsChunkedDecoder.builder()
            .decodedLength(Payload.LENGTH)
            .trailer("x-amz-checksum-crc32c")
            .build();

    /** The payload, and both bodies of it as they come in. */
    @State(Scope.Thread)
    public static class Bodies extends Payload {

        private ByteBuffer[] unsigned = {};
        private ByteBuffer[] signed = {};

        @Setup
        public void encode() {
            unsigned = cutAnew(source().transform(CHUNKED.encode(LENGTH)), CHUNKED.encodedLength(LENGTH));
            signed = cutAnew(source().transform(SIGNED.encode(LENGTH, SEED)), SIGNED.encodedLength(LENGTH));
        }

        private ByteBuffer[] cutAnew(Flux<ByteBuffer> body, long length) {
            ByteBuffer[] wire = new ByteBuffer[Math.toIntExact((length + BUFFER_SIZE - 1) / BUFFER_SIZE)];
            for (int i = 0; i < wire.length; i++) {
                int size = (int) Math.min(BUFFER_SIZE, length - (long) i * BUFFER_SIZE);
                wire[i] = memory == Memory.HEAP ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);
            }
            int[] at = {0};
            body.subscribe(piece -> {
                for (ByteBuffer from = piece.duplicate(); from.hasRemaining(); ) {
                    ByteBuffer to = wire[at[0]];
                    int size = Math.min(from.remaining(), to.remaining());
                    to.put(from.slice().limit(size));
                    from.position(from.position() + size);
                    at[0] += to.hasRemaining() ? 0 : 1;
                }
            });
            for (ByteBuffer buffer : wire) {
                buffer.flip();
            }
            return wire;
        }
    }

    /** The least for an unsigned body: the checksum over what came in. */
    @Benchmark
    public long bareChecksum(Bodies bodies) {
        CRC32C crc = new CRC32C();
        for (ByteBuffer buffer : bodies.unsigned) {
            crc.update(buffer);
            buffer.rewind();
        }
        return crc.getValue();
    }

    /** The least for a signed body: the checksum and the SHA-256. */
    @Benchmark
    public byte[] bareHashes(Bodies bodies) throws NoSuchAlgorithmException {
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        CRC32C crc = new CRC32C();
        for (ByteBuffer buffer : bodies.buffers) {
            sha256.update(buffer);
            buffer.rewind();
            crc.update(buffer);
            buffer.rewind();
        }
        return sha256.digest();
    }

    @Benchmark
    public long signedEncoding(Bodies bodies) {
        return check(
                SIGNED.encodedLength(Payload.LENGTH),
                Receiver.allAtOnce(bodies.source().transform(SIGNED.encode(Payload.LENGTH, SEED))));
    }

    @Benchmark
    public long decoding(Bodies bodies) {
        return check(
                Payload.LENGTH,
                Receiver.allAtOnce(Flux.fromArray(bodies.unsigned).transform(DECODER.decode())));
    }

    @Benchmark
    public long signedDecoding(Bodies bodies) {
        return check(
                Payload.LENGTH, Receiver.allAtOnce(Flux.fromArray(bodies.signed).transform(DECODER.decode(SEED))));
    }

    private static long check(long expected, long bytes) {
        if (bytes != expected) {
            throw new IllegalStateException("Expected " + expected + " bytes, got " + bytes);
        }
        return bytes;
    }
}
