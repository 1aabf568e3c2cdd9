package io.github.reslice.servers;

import static io.github.reslice.checksum.ChecksumAlgorithm.CRC32;
import static io.github.reslice.checksum.ChecksumAlgorithm.CRC32C;
import static io.github.reslice.checksum.ChecksumAlgorithm.CRC64NVME;
import static io.github.reslice.checksum.ChecksumAlgorithm.SHA1;
import static io.github.reslice.checksum.ChecksumAlgorithm.SHA256;

import java.util.EnumSet;
import java.util.Set;

/** What is known of the servers that the project is tested with. */
final class KnownTraits {

    /** Version 4.1.0 with its store in memory. Keys are paths in a file system there, and a body too long is cut. */
    static final ServerTraits S3PROXY = new ServerTraits(
            EnumSet.of(
                    Check.REQUEST_SIGNATURE,
                    Check.CHUNK_SIGNATURE,
                    Check.HEADER_CHECKSUM,
                    Check.HEADER_CHECKSUM_WITH_ALGORITHM,
                    Check.BROKEN_OFF),
            Set.of(),
            false,
            true,
            Set.of("a//b", "/a", "a/", "a/../b", "a/./b", "../a", "..", "."));

    /** Version 5.2.0. Looks at no signature and no length; a trailer of another checksum is passed over. */
    static final ServerTraits S3MOCK = new ServerTraits(
            EnumSet.of(Check.HEADER_CHECKSUM, Check.BROKEN_OFF),
            EnumSet.of(CRC32, CRC32C, CRC64NVME, SHA1, SHA256),
            true,
            false,
            Set.of());

    /** Version 2.35. What comes after the trailers is all that it does not look at. */
    static final ServerTraits SWIFT = new ServerTraits(
            EnumSet.complementOf(EnumSet.of(Check.FINAL_LINE, Check.NOTHING_AFTER)),
            EnumSet.of(CRC32, CRC32C, CRC64NVME, SHA1, SHA256),
            false,
            true,
            Set.of());

    private KnownTraits() {}
}
