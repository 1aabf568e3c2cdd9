package io.github.reslice.spring;

import java.util.Set;

/** Which headers carry a checksum of S3's. */
final class ChecksumHeader {

    private static final String PREFIX = "x-amz-checksum-";

    /** What follows the prefix in headers that say something of a checksum. */
    private static final Set<String> NO_ALGORITHMS = Set.of("algorithm", "mode", "type");

    private ChecksumHeader() {}

    /** Whether a header, by its name in lower case, carries one. */
    static boolean is(String name) {
        return name.startsWith(PREFIX) && !NO_ALGORITHMS.contains(name.substring(PREFIX.length()));
    }
}
