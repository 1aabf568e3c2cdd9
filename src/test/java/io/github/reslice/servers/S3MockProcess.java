package io.github.reslice.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Adobe S3Mock in a process of its own, on a free port. It does not look at signatures, so any credentials do. The build
 * leaves its class path in the test resource {@code s3mock.classpath}.
 */
final class S3MockProcess implements RunningServer {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Pattern STARTED = Pattern.compile("Tomcat started on ports? (\\d+)");

    private final Process process;
    private final Path log;
    private final Thread atExit;
    private final S3Server server;

    private S3MockProcess(Process process, Path log) throws IOException, InterruptedException {
        this.process = process;
        this.log = log;
        this.atExit = new Thread(process::destroyForcibly, "end S3Mock");
        Runtime.getRuntime().addShutdownHook(atExit);
        this.server = new S3Server(
                "S3Mock",
                URI.create("http://127.0.0.1:" + awaitPort()),
                "s3mock-access",
                "s3mock-secret",
                "us-east-1",
                KnownTraits.S3MOCK);
    }

    static S3MockProcess start() throws IOException, InterruptedException {
        Path log = Files.createTempFile("s3mock", ".log");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                classPath(),
                "com.adobe.testing.s3mock.S3MockApplication",
                "--server.address=127.0.0.1",
                "--server.port=0",
                "--server.ssl.enabled=false",
                "--com.adobe.testing.s3mock.httpPort=0");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new S3MockProcess(process, log);
    }

    private static String classPath() throws IOException {
        try (InputStream in = S3MockProcess.class.getResourceAsStream("/s3mock.classpath")) {
            if (in == null) {
                throw new IOException("no s3mock.classpath; mvn process-test-resources writes it");
            }
            return new String(in.readAllBytes(), UTF_8).strip();
        }
    }

    private int awaitPort() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            boolean alive = process.isAlive();
            Matcher started = STARTED.matcher(Files.readString(log));
            if (started.find()) {
                return Integer.parseInt(started.group(1));
            }
            if (!alive) {
                throw new IOException("S3Mock ended with " + process.exitValue() + ": " + Files.readString(log));
            }
            process.waitFor(50, TimeUnit.MILLISECONDS);
        }
        process.destroyForcibly();
        throw new IOException("S3Mock did not start within " + PATIENCE + ": " + Files.readString(log));
    }

    @Override
    public S3Server server() {
        return server;
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        Runtime.getRuntime().removeShutdownHook(atExit);
        Files.deleteIfExists(log);
    }
}
