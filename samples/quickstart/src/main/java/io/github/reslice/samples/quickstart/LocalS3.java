package io.github.reslice.samples.quickstart;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.springframework.util.FileSystemUtils;

/** An S3 server in this process, that stores into a temporary folder. */
final class LocalS3 implements AutoCloseable {

    static final String ACCESS_KEY = "local-access";
    static final String SECRET_KEY = "local-secret";

    private final Path folder;
    private final S3Proxy proxy;

    LocalS3() throws Exception {
        folder = Files.createTempDirectory("reslice-quickstart");
        Properties settings = new Properties();
        settings.setProperty("jclouds.filesystem.basedir", folder.toString());
        proxy = S3Proxy.builder()
                .blobStore(BlobStores.create("filesystem", settings))
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V4, ACCESS_KEY, SECRET_KEY)
                .stopTimeout(0)
                .build();
        proxy.start();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + proxy.getPort());
    }

    @Override
    public void close() throws IOException {
        try {
            proxy.stop();
        } catch (Exception e) {
            throw new IOException("The S3 server did not stop", e);
        }
        FileSystemUtils.deleteRecursively(folder);
    }
}
