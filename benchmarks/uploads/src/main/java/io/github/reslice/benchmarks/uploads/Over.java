package io.github.reslice.benchmarks.uploads;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;

/** What the uploads go over. */
enum Over {
    HTTP("HTTP", SslProvider.JDK),
    TLS("TLS 1.3, JDK", SslProvider.JDK),
    /** What fits into one record of the JDK's, instead of Netty's 16,384 bytes. */
    TLS_WHOLE_RECORDS("TLS 1.3, JDK, wrapDataSize 16367", SslProvider.JDK),
    TLS_OPENSSL("TLS 1.3, BoringSSL", SslProvider.OPENSSL);

    static final int JDK_RECORD = 16_367;

    final String title;
    final SslProvider engine;

    Over(String title, SslProvider engine) {
        this.title = title;
        this.engine = engine;
    }

    boolean encrypted() {
        return this != HTTP;
    }

    boolean available() {
        return engine != SslProvider.OPENSSL || OpenSsl.isAvailable();
    }
}
