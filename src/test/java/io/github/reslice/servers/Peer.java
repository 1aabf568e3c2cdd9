package io.github.reslice.servers;

import java.util.Optional;

/** The kinds of server that tests run against. */
public enum Peer {
    /** s3proxy, in this process. */
    S3PROXY {
        @Override
        Optional<RunningServer> start() throws Exception {
            return Optional.of(S3ProxyServer.start());
        }
    },
    /** Adobe S3Mock, a process of its own. */
    S3MOCK {
        @Override
        Optional<RunningServer> start() throws Exception {
            return Optional.of(S3MockProcess.start());
        }
    },
    /** The one that {@code RESLICE_S3_ENDPOINT} names, if it does. */
    EXTERNAL {
        @Override
        Optional<RunningServer> start() {
            return ExternalServer.named(System.getenv());
        }
    };

    abstract Optional<RunningServer> start() throws Exception;
}
