package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.sigv4.AwsCredentials;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.util.concurrent.Future;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.reactivestreams.Subscription;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.codec.multipart.FormFieldPart;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** A small WebFlux application on Reactor Netty behind an {@link S3WebFilter}: it stores what is put, and counts what it saw. */
final class UploadEndpoint implements AutoCloseable {

    static final String SECRET_KEY = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    static final AwsCredentials CREDENTIALS = AwsCredentials.of("AKIAIOSFODNN7EXAMPLE", SECRET_KEY);
    static final String REGION = "eu-central-1";

    /** What a controller got. */
    static final class Upload {
        private final byte[] bytes;
        private final HttpHeaders headers;
        private final String accessKey;

        private Upload(byte[] bytes, HttpHeaders headers, String accessKey) {
            this.bytes = bytes;
            this.headers = headers;
            this.accessKey = accessKey;
        }

        byte[] bytes() {
            return bytes;
        }

        HttpHeaders headers() {
            return headers;
        }

        String accessKey() {
            return accessKey;
        }
    }

    private final Map<String, Upload> stored = new ConcurrentHashMap<>();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final Set<Channel> connections = ConcurrentHashMap.newKeySet();
    private final DisposableServer server;

    UploadEndpoint(S3WebFilter filter) {
        var routes = RouterFunctions.route()
                .before(request -> {
                    requests.incrementAndGet();
                    return request;
                })
                .POST(
                        "/form",
                        request -> request.formData()
                                .flatMap(form -> ServerResponse.ok()
                                        .bodyValue(new TreeMap<>(form.toSingleValueMap()).toString())))
                .POST(
                        "/multipart",
                        request -> request.multipartData()
                                .map(parts -> ((FormFieldPart) parts.getFirst("a")).value())
                                .flatMap(value -> ServerResponse.ok().bodyValue(value)))
                .POST(
                        "/files",
                        request -> request.multipartData()
                                .flatMap(parts -> ServerResponse.ok()
                                        .bodyValue(parts.keySet().toString())))
                .POST(
                        "/json",
                        request -> request.bodyToMono(new ParameterizedTypeReference<Map<String, String>>() {})
                                .flatMap(json -> ServerResponse.ok().bodyValue(json.toString())))
                .PUT(
                        "/first",
                        request -> first(request).then(ServerResponse.ok().build()))
                .PUT("/unread", request -> ServerResponse.ok().build())
                .PUT(
                        "/echo",
                        request -> ServerResponse.ok()
                                .body(request.exchange().getRequest().getBody(), DataBuffer.class))
                .PUT(
                        "/swallow",
                        request -> counted(request)
                                .onErrorComplete()
                                .then(ServerResponse.status(202).build()))
                .PUT("/broken", request -> Mono.error(new IllegalStateException("the application's own error")))
                .PUT("/**", this::store)
                .GET("/**", this::get)
                .build();
        HttpHandler handler = WebHttpHandlerBuilder.webHandler(
                        RouterFunctions.toWebHandler(routes, HandlerStrategies.withDefaults()))
                .filter(filter)
                .build();
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .childOption(ChannelOption.ALLOCATOR, allocator)
                .doOnConnection(connection -> connections.add(connection.channel()))
                .handle(new ReactorHttpHandlerAdapter(handler))
                .bindNow();
    }

    static S3WebFilter.Builder filter() {
        return S3WebFilter.builder()
                .region(REGION)
                .secrets(accessKey ->
                        Mono.just(CREDENTIALS).filter(known -> known.accessKey().equals(accessKey)));
    }

    /** The answer is one of S3's errors, and tells nothing of the secret. */
    static void assertRefused(HttpResponse<String> answer, int status, String code) {
        assertThat(answer.body()).contains("<Error><Code>" + code + "</Code>");
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/xml");
        assertThat(answer.headers().firstValue("x-amz-request-id").orElseThrow())
                .isNotEmpty();
        assertThat(answer.body()).doesNotContain(SECRET_KEY);
    }

    private Flux<DataBuffer> counted(ServerRequest request) {
        return request.exchange().getRequest().getBody().doOnNext(buffer -> {
            bytes.addAndGet(buffer.readableByteCount());
            DataBufferUtils.release(buffer);
        });
    }

    /** Takes one buffer, asks for no more, and does not cancel: Spring's multipart reader stops like that. */
    private static Mono<Void> first(ServerRequest request) {
        return Mono.create(sink -> request.exchange().getRequest().getBody().subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                subscription.request(1);
            }

            @Override
            protected void hookOnNext(DataBuffer buffer) {
                DataBufferUtils.release(buffer);
                sink.success();
            }
        }));
    }

    private Mono<ServerResponse> store(ServerRequest request) {
        return DataBufferUtils.join(request.exchange()
                        .getRequest()
                        .getBody()
                        .doOnNext(buffer -> bytes.addAndGet(buffer.readableByteCount()))
                        .doOnDiscard(DataBuffer.class, DataBufferUtils::release))
                .map(joined -> {
                    byte[] content = new byte[joined.readableByteCount()];
                    joined.read(content);
                    DataBufferUtils.release(joined);
                    return content;
                })
                .defaultIfEmpty(new byte[0])
                .flatMap(content -> {
                    String accessKey =
                            (String) request.attribute(S3WebFilter.ACCESS_KEY).orElse("nobody");
                    stored.put(
                            request.uri().getRawPath(),
                            new Upload(content, request.exchange().getRequest().getHeaders(), accessKey));
                    return ServerResponse.ok().header("ETag", "\"etag\"").build();
                });
    }

    private Mono<ServerResponse> get(ServerRequest request) {
        Upload upload = stored.get(request.uri().getRawPath());
        return upload == null
                ? ServerResponse.notFound().build()
                : ServerResponse.ok().bodyValue(upload.bytes());
    }

    URI uri(String pathAndQuery) {
        return URI.create("http://127.0.0.1:" + server.port() + pathAndQuery);
    }

    /** What was put there; null if nothing was, or it was refused. */
    Upload stored(String path) {
        return stored.get(path);
    }

    /** Requests that reached a controller. */
    long requests() {
        return requests.get();
    }

    /** Bytes that controllers were given, of bodies that were refused in the end too. */
    long bytesSeen() {
        return bytes.get();
    }

    /** Closes it, and looks whether every buffer was given back. */
    @Override
    public void close() {
        server.disposeNow(Duration.ofSeconds(5));
        assertAllReleased();
    }

    /** Waits until every buffer was given back, though its connection is still open. */
    void assertAllReleased() {
        long deadline = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        boolean late;
        do {
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
            late = System.nanoTime() > deadline;
            letReadsEnd();
        } while (used() > 0 && !late);
        long held = used();
        if (held > 0) {
            connections.forEach(connection -> await("close", connection.close()));
            letReadsEnd();
        }
        assertThat(held)
                .as("bytes in buffers that were not released, %d of them with the connections closed", used())
                .isZero();
    }

    /**
     * Lets each connection's thread end what it is at. A client has its answer before the server's thread is through, which
     * may read once more into a new buffer, and on a busy machine stop there for seconds.
     */
    private void letReadsEnd() {
        connections.forEach(connection -> await("run", connection.eventLoop().submit(() -> {})));
    }

    private static void await(String action, Future<?> end) {
        assertThat(end.awaitUninterruptibly(Duration.ofMinutes(1).toMillis()))
                .as("a connection's thread found the time to %s", action)
                .isTrue();
    }

    private long used() {
        return allocator.metric().usedDirectMemory() + allocator.metric().usedHeapMemory();
    }
}
