package io.github.reslice.benchmarks.uploads;

import io.github.reslice.checksum.ChecksumAlgorithm;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** What an encoder has to compute in any case, over the same buffers. */
final class BareChecksum implements Upload {

    private final Body body;
    private final ChecksumAlgorithm algorithm;

    BareChecksum(Body body, ChecksumAlgorithm algorithm) {
        this.body = body;
        this.algorithm = algorithm;
    }

    @Override
    public String send() {
        Checksum checksum = algorithm == ChecksumAlgorithm.CRC32C ? new CRC32C() : new CRC32();
        body.byteBuffers().subscribe(checksum::update);
        return new Receipt(body.length, Long.toHexString(checksum.getValue()), 0).toString();
    }
}
