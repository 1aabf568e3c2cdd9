package io.github.reslice.servers;

import io.github.reslice.checksum.ChecksumAlgorithm;
import java.util.Set;

/**
 * What a kind of server checks, knows and can hold. A test holds each of these against the server, both ways: what is named is
 * refused or kept, and what is not named passes or is lost.
 *
 * @param checks what it looks at when an object comes in
 * @param verifiedTrailers the checksums that it compares when they come in a trailer
 * @param returnsChecksum whether a GET that asks for the checksum that came in a trailer gets it
 * @param decodesBesideGzip whether it also decodes a body whose Content-Encoding is {@code aws-chunked,gzip}
 * @param keysNotHeld of {@link OddKeys}, those under which nothing can be stored and found again
 */
public record ServerTraits(
        Set<Check> checks,
        Set<ChecksumAlgorithm> verifiedTrailers,
        boolean returnsChecksum,
        boolean decodesBesideGzip,
        Set<String> keysNotHeld) {

    public ServerTraits {
        checks = Set.copyOf(checks);
        verifiedTrailers = Set.copyOf(verifiedTrailers);
        keysNotHeld = Set.copyOf(keysNotHeld);
    }
}
