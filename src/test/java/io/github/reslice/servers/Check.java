package io.github.reslice.servers;

/** What a server may look at when an object comes in. What it does not look at, it lets pass. */
public enum Check {
    /** The request's signature. */
    REQUEST_SIGNATURE,
    /** The signature of each chunk that has data, in the signed modes. */
    CHUNK_SIGNATURE,
    /** The signature of the last chunk, which has no data. */
    LAST_CHUNK_SIGNATURE,
    /** The signature of the trailer. */
    TRAILER_SIGNATURE,
    /** The checksum in the trailer, also when {@code x-amz-sdk-checksum-algorithm} does not name it. */
    TRAILER_CHECKSUM_WITHOUT_ALGORITHM,
    /** The checksum in a header of the request, when no {@code x-amz-sdk-checksum-algorithm} comes with it. */
    HEADER_CHECKSUM,
    /** The checksum in a header of the request, when {@code x-amz-sdk-checksum-algorithm} names it. */
    HEADER_CHECKSUM_WITH_ALGORITHM,
    /** That a checksum comes in a header or in a trailer, not in both. */
    ONE_CHECKSUM,
    /** That a trailer that was announced is there. */
    ANNOUNCED_TRAILER,
    /** That a trailer that is there was announced. */
    UNANNOUNCED_TRAILER,
    /** That a trailer is one of the checksums that the server knows. */
    TRAILER_NAME,
    /** 8192 bytes in each chunk but the last. */
    MINIMUM_CHUNK_SIZE,
    /** That no fewer bytes come than {@code x-amz-decoded-content-length} says. */
    TOO_SHORT,
    /** That no more bytes come than {@code x-amz-decoded-content-length} says. Without it the object may be cut. */
    TOO_LONG,
    /** That {@code x-amz-decoded-content-length} is there. */
    DECODED_LENGTH,
    /** That the last chunk is there, of no bytes. */
    LAST_CHUNK,
    /** That the empty line after the trailers is there. */
    FINAL_LINE,
    /** That nothing comes after the empty line. */
    NOTHING_AFTER,
    /** That the connection does not end before the body does. */
    BROKEN_OFF
}
