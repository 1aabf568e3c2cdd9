package io.github.reslice.benchmarks.uploads;

import io.github.reslice.AwsChunked;
import io.github.reslice.checksum.ChecksumAlgorithm;
import java.net.URI;
import java.nio.file.Path;

/** What all that are compared with each other have in common. */
record Setting(
        Over over,
        URI endpoint,
        Path certificate,
        int mib,
        int bufferSize,
        Memory memory,
        ChecksumAlgorithm checksum,
        int chunkSize) {

    static Setting of(String... args) {
        return new Setting(
                Over.valueOf(args[0]),
                URI.create(args[1]),
                Path.of(args[2]),
                Integer.parseInt(args[3]),
                Integer.parseInt(args[4]),
                Memory.valueOf(args[5]),
                ChecksumAlgorithm.valueOf(args[6]),
                Integer.parseInt(args[7]));
    }

    String[] args() {
        return new String[] {
            over.name(),
            endpoint.toString(),
            certificate.toString(),
            Integer.toString(mib),
            Integer.toString(bufferSize),
            memory.name(),
            checksum.name(),
            Integer.toString(chunkSize)
        };
    }

    AwsChunked chunked() {
        return AwsChunked.builder().checksum(checksum).chunkSize(chunkSize).build();
    }

    Body body() {
        return new Body(mib, bufferSize, memory);
    }
}
