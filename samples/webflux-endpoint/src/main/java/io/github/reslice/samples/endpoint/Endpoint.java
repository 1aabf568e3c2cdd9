package io.github.reslice.samples.endpoint;

import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.spring.S3WebFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** A small store: what is put under a path can be got there again. The filter in front of it is all that it knows of S3. */
final class Endpoint implements AutoCloseable {

    private final Path folder;
    private final Map<String, Path> objects = new ConcurrentHashMap<>();
    private final DisposableServer server;

    /** On a free port of this machine; {@code users} has each access key's credentials. */
    Endpoint(Map<String, AwsCredentials> users, String region, int port) throws IOException {
        folder = Files.createTempDirectory("webflux-endpoint");
        S3WebFilter s3 = S3WebFilter.builder()
                .secrets(accessKey -> Mono.justOrEmpty(users.get(accessKey)))
                .region(region)
                .build();
        RouterFunction<ServerResponse> routes = RouterFunctions.route()
                .PUT("/{bucket}/{*key}", this::put)
                .GET("/{bucket}/{*key}", this::get)
                .build();
        HttpHandler handler = WebHttpHandlerBuilder.webHandler(
                        RouterFunctions.toWebHandler(routes, HandlerStrategies.withDefaults()))
                .filter(s3)
                .build();
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(port)
                .handle(new ReactorHttpHandlerAdapter(handler))
                .bindNow();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    /**
     * Makes the object visible only once its body has completed: until then it may still turn out to be wrong. Its key is the
     * decoded path, since a signature is good for every spelling of one.
     */
    private Mono<ServerResponse> put(ServerRequest request) {
        Flux<DataBuffer> body = request.exchange().getRequest().getBody();
        return Mono.usingWhen(
                        newFile(),
                        file -> DataBufferUtils.write(body, file).thenReturn(file),
                        file -> Mono.empty(),
                        (file, error) -> delete(file),
                        Endpoint::delete)
                .flatMap(file -> delete(objects.put(request.uri().getPath(), file)))
                .then(ServerResponse.ok().build());
    }

    private Mono<ServerResponse> get(ServerRequest request) {
        Path file = objects.get(request.uri().getPath());
        return file == null
                ? ServerResponse.notFound().build()
                : ServerResponse.ok().bodyValue(new FileSystemResource(file));
    }

    /** Named by nothing that a client sends. */
    private Mono<Path> newFile() {
        return Mono.fromCallable(() -> Files.createTempFile(folder, "object", ""))
                .subscribeOn(Schedulers.boundedElastic());
    }

    private static Mono<Void> delete(Path file) {
        return file == null
                ? Mono.empty()
                : Mono.fromCallable(() -> Files.deleteIfExists(file))
                        .subscribeOn(Schedulers.boundedElastic())
                        .then();
    }

    /** How many files there are: those of refused uploads must be gone. */
    int files() {
        String[] names = folder.toFile().list();
        return names == null ? 0 : names.length;
    }

    @Override
    public void close() {
        server.disposeNow(Duration.ofSeconds(5));
        objects.values().forEach(file -> delete(file).block());
        try {
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
