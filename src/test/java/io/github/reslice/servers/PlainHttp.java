package io.github.reslice.servers;

import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;

/** Takes the SDK's requests to any host, also over HTTPS, to one port of this machine without TLS, signed as they are. */
public final class PlainHttp implements SdkAsyncHttpClient {

    private final SdkAsyncHttpClient client;
    private final int port;

    /** The client stays open when this is closed. */
    public PlainHttp(SdkAsyncHttpClient client, int port) {
        this.client = client;
        this.port = port;
    }

    @Override
    public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
        return client.execute(AsyncExecuteRequest.builder()
                .request(request.request().toBuilder()
                        .protocol("http")
                        .host("127.0.0.1")
                        .port(port)
                        .build())
                .requestContentPublisher(request.requestContentPublisher())
                .responseHandler(request.responseHandler())
                .build());
    }

    @Override
    public void close() {
        // the client is another's
    }
}
