package io.github.reslice.servers;

import java.io.IOException;

/** A server that was started, or found running, and what ends it. */
interface RunningServer {

    S3Server server();

    void close() throws IOException;
}
