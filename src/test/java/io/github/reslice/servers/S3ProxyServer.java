package io.github.reslice.servers;

import java.io.IOException;
import java.net.URI;
import java.util.Properties;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;

/** s3proxy in this process, on a free port, with a store in memory. */
final class S3ProxyServer implements RunningServer {

    private static final String ACCESS_KEY = "s3proxy-access";
    private static final String SECRET_KEY = "s3proxy-secret";

    private final S3Proxy proxy;
    private final BlobStore store;
    private final S3Server server;

    private S3ProxyServer(S3Proxy proxy, BlobStore store) {
        this.proxy = proxy;
        this.store = store;
        this.server = new S3Server(
                "s3proxy",
                URI.create("http://127.0.0.1:" + proxy.getPort()),
                ACCESS_KEY,
                SECRET_KEY,
                "us-east-1",
                KnownTraits.S3PROXY);
    }

    static S3ProxyServer start() throws Exception {
        BlobStore store = BlobStores.create("transient", new Properties());
        S3Proxy proxy = S3Proxy.builder()
                .blobStore(store)
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V4, ACCESS_KEY, SECRET_KEY)
                .stopTimeout(0)
                .ignoreUnknownHeaders(true)
                .build();
        proxy.start();
        return new S3ProxyServer(proxy, store);
    }

    @Override
    public S3Server server() {
        return server;
    }

    @Override
    public void close() throws IOException {
        try {
            proxy.stop();
            store.close();
        } catch (Exception e) {
            throw new IOException("s3proxy did not stop", e);
        }
    }
}
