package io.github.reslice.benchmarks;

import io.github.reslice.checksum.ChecksumAlgorithm;
import java.nio.ByteBuffer;
import org.reactivestreams.Publisher;
import software.amazon.awssdk.checksums.DefaultChecksumAlgorithm;
import software.amazon.awssdk.checksums.SdkChecksum;
import software.amazon.awssdk.http.auth.aws.internal.signer.chunkedencoding.AsyncChunkEncodedPayload;
import software.amazon.awssdk.http.auth.aws.internal.signer.chunkedencoding.ChecksumTrailerProvider;
import software.amazon.awssdk.http.auth.aws.internal.signer.chunkedencoding.ChunkedEncodedPublisher;
import software.amazon.awssdk.http.auth.spi.signer.PayloadChecksumStore;

/** The AWS SDK's encoder. */
final class SdkEncoder {

    private SdkEncoder() {}

    static Publisher<ByteBuffer> encode(Body body) {
        SdkChecksum checksum = SdkChecksum.forAlgorithm(DefaultChecksumAlgorithm.CRC32C);
        ChunkedEncodedPublisher.Builder publisher = ChunkedEncodedPublisher.builder()
                .publisher(body.source())
                .contentLength(body.length)
                .chunkSize(body.chunkSize)
                .addEmptyTrailingChunk(true);
        AsyncChunkEncodedPayload encoding = new AsyncChunkEncodedPayload(publisher);
        encoding.checksumPayload(checksum);
        encoding.addTrailer(new ChecksumTrailerProvider(
                checksum,
                ChecksumAlgorithm.CRC32C.headerName(),
                DefaultChecksumAlgorithm.CRC32C,
                PayloadChecksumStore.create()));
        return publisher.build();
    }
}
