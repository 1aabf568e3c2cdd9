package io.github.reslice.benchmarks.uploads;

import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.security.GeneralSecurityException;
import reactor.netty.http.client.HttpClient;

/** Reactor Netty's client for a setting, the same below {@code WebClient} and by itself. */
final class NettyClient {

    private NettyClient() {}

    static HttpClient of(Setting setting) throws GeneralSecurityException, IOException {
        HttpClient client = HttpClient.create();
        if (!setting.over().encrypted()) {
            return client;
        }
        SslContext tls = Tls.client(setting.certificate(), setting.over().engine);
        return client.secure(provider -> {
            var settings = provider.sslContext(tls);
            if (setting.over() == Over.TLS_WHOLE_RECORDS) {
                settings.handlerConfigurator(handler -> handler.setWrapDataSize(Over.JDK_RECORD));
            }
        });
    }
}
