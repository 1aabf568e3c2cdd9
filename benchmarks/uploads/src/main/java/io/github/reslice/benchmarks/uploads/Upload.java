package io.github.reslice.benchmarks.uploads;

/** A client, ready to send one body again and again. */
interface Upload {

    /** Sends it, and gives the answer's ETag. */
    String send() throws Exception;
}
