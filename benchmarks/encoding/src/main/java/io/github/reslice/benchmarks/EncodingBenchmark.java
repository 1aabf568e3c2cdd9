package io.github.reslice.benchmarks;

import io.github.reslice.AwsChunked;
import io.github.reslice.checksum.ChecksumAlgorithm;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.checksums.DefaultChecksumAlgorithm;
import software.amazon.awssdk.checksums.SdkChecksum;
import software.amazon.awssdk.http.auth.aws.internal.signer.chunkedencoding.AsyncChunkEncodedPayload;
import software.amazon.awssdk.http.auth.aws.internal.signer.chunkedencoding.ChecksumTrailerProvider;
import software.amazon.awssdk.http.auth.aws.internal.signer.chunkedencoding.ChunkedEncodedPublisher;
import software.amazon.awssdk.http.auth.spi.signer.PayloadChecksumStore;

/**
 * One 64 MiB body in chunks of 128 KiB with its CRC32C as trailer; beside it the checksum alone, and the AWS SDK's encoder.
 * Every encoder's result is the number of bytes it gave, and is checked.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class EncodingBenchmark {

    static final int CHUNK_SIZE = 128 * 1024;

    private final AwsChunked chunked = AwsChunked.builder()
            .chunkSize(CHUNK_SIZE)
            .checksum(ChecksumAlgorithm.CRC32C)
            .build();
    private final long encodedLength = chunked.encodedLength(Payload.LENGTH);

    /** The least that can be done: the JDK's checksum, called in a loop. */
    @Benchmark
    public long bareChecksum(Payload payload) {
        CRC32C crc = new CRC32C();
        if (payload.memory == Payload.Memory.HEAP) {
            for (ByteBuffer buffer : payload.buffers) {
                crc.update(buffer.array(), 0, Payload.BUFFER_SIZE);
            }
        } else {
            for (ByteBuffer buffer : payload.buffers) {
                crc.update(buffer);
                buffer.rewind();
            }
        }
        return crc.getValue();
    }

    @Benchmark
    public long bareChecksumInCache(Payload.Cached payload) {
        return bareChecksum(payload);
    }

    @Benchmark
    public long knownLengthInCache(Payload.Cached payload) {
        return knownLengthAllAtOnce(payload);
    }

    @Benchmark
    public long knownLengthAllAtOnce(Payload payload) {
        return check(Receiver.allAtOnce(payload.source().transform(chunked.encode(Payload.LENGTH))));
    }

    @Benchmark
    public long knownLengthBy64(Payload payload) {
        return check(Receiver.by64(payload.source().transform(chunked.encode(Payload.LENGTH))));
    }

    @Benchmark
    public long unknownLengthAllAtOnce(Payload payload) {
        return check(Receiver.allAtOnce(payload.source().transform(chunked.encode())));
    }

    @Benchmark
    public long unknownLengthBy64(Payload payload) {
        return check(Receiver.by64(payload.source().transform(chunked.encode())));
    }

    /** Put together as the SDK's own signer does for an unsigned body with a trailer. */
    @Benchmark
    public long awsSdk(Payload payload) {
        // the SDK moves the positions of what it reads
        Flux<ByteBuffer> source = payload.source().map(ByteBuffer::rewind);
        SdkChecksum checksum = SdkChecksum.forAlgorithm(DefaultChecksumAlgorithm.CRC32C);
        ChunkedEncodedPublisher.Builder publisher = ChunkedEncodedPublisher.builder()
                .publisher(source)
                .contentLength(Payload.LENGTH)
                .chunkSize(CHUNK_SIZE)
                .addEmptyTrailingChunk(true);
        AsyncChunkEncodedPayload encoding = new AsyncChunkEncodedPayload(publisher);
        encoding.checksumPayload(checksum);
        encoding.addTrailer(new ChecksumTrailerProvider(
                checksum,
                ChecksumAlgorithm.CRC32C.headerName(),
                DefaultChecksumAlgorithm.CRC32C,
                PayloadChecksumStore.create()));
        return check(Receiver.allAtOnce(publisher.build()));
    }

    private long check(long bytes) {
        if (bytes != encodedLength) {
            throw new IllegalStateException("Expected " + encodedLength + " bytes, got " + bytes);
        }
        return bytes;
    }
}
