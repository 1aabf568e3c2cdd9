package io.github.reslice;

import io.github.reslice.checksum.ChecksumAlgorithm;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.checksums.DefaultChecksumAlgorithm;
import software.amazon.awssdk.checksums.SdkChecksum;
import software.amazon.awssdk.http.auth.aws.internal.signer.chunkedencoding.TrailerProvider;
import software.amazon.awssdk.utils.Pair;

/** The AWS SDK's checksum, as it sends it. */
final class SdkTrailer implements TrailerProvider {

    /** What the SDK computes without native code. */
    static final List<ChecksumAlgorithm> ALGORITHMS = List.of(
            ChecksumAlgorithm.CRC32,
            ChecksumAlgorithm.CRC32C,
            ChecksumAlgorithm.SHA1,
            ChecksumAlgorithm.SHA256,
            ChecksumAlgorithm.SHA512,
            ChecksumAlgorithm.MD5);

    private final ChecksumAlgorithm algorithm;
    private final SdkChecksum checksum;

    SdkTrailer(ChecksumAlgorithm algorithm) {
        this.algorithm = algorithm;
        checksum = SdkChecksum.forAlgorithm(DefaultChecksumAlgorithm.fromValue(algorithm.name()));
    }

    /** The source, whose bytes are added as they pass. */
    Flux<ByteBuffer> reading(Flux<ByteBuffer> source) {
        return source.doOnNext(buffer -> checksum.update(buffer.duplicate()));
    }

    @Override
    public void reset() {
        checksum.reset();
    }

    @Override
    public Pair<String, List<String>> get() {
        String value = Base64.getEncoder().encodeToString(checksum.getChecksumBytes());
        return Pair.of(algorithm.headerName(), List.of(value));
    }
}
