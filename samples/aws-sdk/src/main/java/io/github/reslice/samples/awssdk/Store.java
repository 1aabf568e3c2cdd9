package io.github.reslice.samples.awssdk;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A {@link DiscardingStore} in a process of its own, so that its work is in none of the figures. */
final class Store implements AutoCloseable {

    private final Process process;
    private final URI endpoint;

    private Store(Process process, URI endpoint) {
        this.process = process;
        this.endpoint = endpoint;
    }

    static Store start() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java, "-classpath", System.getProperty("java.class.path"), DiscardingStore.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String endpoint =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
        if (endpoint == null) {
            throw new IOException("The store did not start");
        }
        return new Store(process, URI.create(endpoint));
    }

    URI endpoint() {
        return endpoint;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
