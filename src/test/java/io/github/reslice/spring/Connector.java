package io.github.reslice.spring;

import java.net.http.HttpClient;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

/** The HTTP clients that the filter is tested on: one that releases what it sends, and one that copies. */
enum Connector {
    REACTOR_NETTY(new ReactorClientHttpConnector()),
    JDK(new JdkClientHttpConnector(
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()));

    private final ClientHttpConnector connector;

    Connector(ClientHttpConnector connector) {
        this.connector = connector;
    }

    WebClient.Builder client() {
        return WebClient.builder().clientConnector(connector);
    }
}
