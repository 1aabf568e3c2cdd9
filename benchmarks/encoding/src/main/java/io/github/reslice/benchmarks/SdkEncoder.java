package io.github.reslice.benchmarks;

import io.github.reslice.checksum.ChecksumAlgorithm;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import org.reactivestreams.Publisher;
import software.amazon.awssdk.checksums.DefaultChecksumAlgorithm;
import software.amazon.awssdk.checksums.SdkChecksum;
import software.amazon.awssdk.http.auth.aws.internal.signer.CredentialScope;
import software.amazon.awssdk.http.auth.aws.internal.signer.RollingSigner;
import software.amazon.awssdk.http.auth.aws.internal.signer.chunkedencoding.AsyncChunkEncodedPayload;
import software.amazon.awssdk.http.auth.aws.internal.signer.chunkedencoding.ChecksumTrailerProvider;
import software.amazon.awssdk.http.auth.aws.internal.signer.chunkedencoding.ChunkedEncodedPublisher;
import software.amazon.awssdk.http.auth.aws.internal.signer.chunkedencoding.SigV4ChunkExtensionProvider;
import software.amazon.awssdk.http.auth.aws.internal.signer.chunkedencoding.SigV4TrailerProvider;
import software.amazon.awssdk.http.auth.spi.signer.PayloadChecksumStore;

/** The AWS SDK's encoder, put together as its own signer does for a body with a trailer. */
final class SdkEncoder {

    private final ChunkedEncodedPublisher.Builder publisher;
    private final AsyncChunkEncodedPayload encoding;

    private SdkEncoder(Publisher<ByteBuffer> source, Body body) {
        publisher = ChunkedEncodedPublisher.builder()
                .publisher(source)
                .contentLength(body.length)
                .chunkSize(body.chunkSize)
                .addEmptyTrailingChunk(true);
        encoding = new AsyncChunkEncodedPayload(publisher);
    }

    static Publisher<ByteBuffer> encode(Publisher<ByteBuffer> source, Body body) {
        SdkEncoder encoder = new SdkEncoder(source, body);
        encoder.addChecksum();
        return encoder.publisher.build();
    }

    static Publisher<ByteBuffer> encodeSigned(Publisher<ByteBuffer> source, Body body) {
        CredentialScope scope = new CredentialScope("us-east-1", "s3", Instant.EPOCH);
        RollingSigner signer = new RollingSigner(new byte[32], "0".repeat(64));
        SdkEncoder encoder = new SdkEncoder(source, body);
        encoder.encoding.addExtension(new SigV4ChunkExtensionProvider(signer, scope));
        encoder.addChecksum();
        encoder.encoding.addTrailer(new SigV4TrailerProvider(List.copyOf(encoder.encoding.trailers()), signer, scope));
        return encoder.publisher.build();
    }

    private void addChecksum() {
        SdkChecksum checksum = SdkChecksum.forAlgorithm(DefaultChecksumAlgorithm.CRC32C);
        encoding.checksumPayload(checksum);
        encoding.addTrailer(new ChecksumTrailerProvider(
                checksum,
                ChecksumAlgorithm.CRC32C.headerName(),
                DefaultChecksumAlgorithm.CRC32C,
                PayloadChecksumStore.create()));
    }
}
