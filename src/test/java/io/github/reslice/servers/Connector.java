package io.github.reslice.servers;

import java.net.URI;
import java.net.http.HttpClient;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.HttpComponentsClientHttpConnector;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.http.client.reactive.JettyClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.WebClient;

/** The HTTP clients under a {@code WebClient}: Reactor Netty releases the buffers that it sends, the others copy them. */
public enum Connector {
    REACTOR_NETTY(new ReactorClientHttpConnector()),
    JDK(new JdkClientHttpConnector(
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build())),
    JETTY(new JettyClientHttpConnector()),
    APACHE(new HttpComponentsClientHttpConnector());

    private final ClientHttpConnector connector;

    Connector(ClientHttpConnector connector) {
        this.connector = connector;
    }

    /** A client that takes answers of any size into memory. */
    public WebClient.Builder client() {
        return WebClient.builder()
                .clientConnector(connector)
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(-1));
    }

    /** A client of one server, with a filter. */
    public WebClient client(URI endpoint, ExchangeFilterFunction filter) {
        return client().baseUrl(endpoint.toString()).filter(filter).build();
    }
}
