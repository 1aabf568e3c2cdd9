package io.github.reslice.benchmarks.uploads;

import java.net.http.HttpClient;
import java.util.concurrent.Executors;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.HttpComponentsClientHttpConnector;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.http.client.reactive.JettyClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;

/** The HTTP client below a {@code WebClient}; only Reactor Netty's is set up for TLS. */
enum Connector {
    REACTOR_NETTY {
        @Override
        ClientHttpConnector connect(Setting setting) throws Exception {
            return new ReactorClientHttpConnector(NettyClient.of(setting));
        }
    },
    JDK {
        @Override
        ClientHttpConnector connect(Setting setting) {
            return new JdkClientHttpConnector(HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .executor(
                            Executors.newFixedThreadPool(THREADS)) // one that ends would take what it allocated with it
                    .build());
        }
    },
    JETTY {
        @Override
        ClientHttpConnector connect(Setting setting) {
            return new JettyClientHttpConnector();
        }
    },
    APACHE {
        @Override
        ClientHttpConnector connect(Setting setting) {
            return new HttpComponentsClientHttpConnector();
        }
    };

    private static final int THREADS = 4;

    abstract ClientHttpConnector connect(Setting setting) throws Exception;
}
