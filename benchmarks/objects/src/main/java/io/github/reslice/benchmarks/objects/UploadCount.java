package io.github.reslice.benchmarks.objects;

import io.github.reslice.AwsChunked;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.netty.ByteBufs;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.netty.DisposableServer;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/**
 * The same behind Reactor Netty's {@code HttpClient}, which takes 128 pieces ahead: what the library asks for, and what the
 * client's event loop allocates in all, beside what it does for the raw body. The server reads in the same process, on threads of
 * its own.
 */
final class UploadCount {

    private static final String CLIENT = "client";
    private static final int WARM_UPS = 40;
    private static final int COUNTED = 5;

    private final HttpClient client;
    private final Consumer<Runnable> onTheLoop;
    private final ByteBufAllocator allocator;
    private final int size;
    private final int buffers;

    private UploadCount(int port, LoopResources loop, ByteBufAllocator allocator, int size, int buffers) {
        client = HttpClient.create().runOn(loop).host("127.0.0.1").port(port);
        EventLoop only = loop.onClient(true).next();
        onTheLoop = task -> only.submit(task).syncUninterruptibly();
        this.allocator = allocator;
        this.size = size;
        this.buffers = buffers;
    }

    static void print(int size, int buffers) throws Exception {
        DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .runOn(LoopResources.create("server", 1, true), false)
                .handle((request, response) ->
                        request.receive().then(response.status(200).send()))
                .bindNow();
        LoopResources loop = LoopResources.create(CLIENT, 1, true);
        AwsChunked chunked = AwsChunked.builder()
                .chunkSize(size)
                .checksum(ChecksumAlgorithm.CRC32C)
                .build();
        long length = (long) size * buffers;
        long encoded = chunked.encodedLength(length);

        UploadCount byDefault = new UploadCount(server.port(), loop, ByteBufAllocator.DEFAULT, size, buffers);
        byDefault.print("HttpClient, default allocator, the raw body", length, byDefault::source, 0);
        byDefault.print(
                "HttpClient, default allocator",
                encoded,
                () -> byDefault.source().transform(ByteBufs.encode(chunked, length)),
                2 * (buffers + ObjectCount.BAR));
        ByteBufAllocator pooled = PooledByteBufAllocator.DEFAULT;
        byDefault.print(
                "HttpClient, default allocator, the header alone pooled",
                encoded,
                () -> byDefault.source().transform(ByteBufs.encode(chunked, length, pooled)),
                buffers + 2 * ObjectCount.BAR);
        UploadCount overPooled = new UploadCount(server.port(), loop, pooled, size, buffers);
        overPooled.print(
                "HttpClient, PooledByteBufAllocator",
                encoded,
                () -> overPooled.source().transform(ByteBufs.encode(chunked, length, pooled)),
                ObjectCount.BAR);
        server.disposeNow();
    }

    private Flux<ByteBuf> source() {
        return new PooledSource(allocator, size, buffers);
    }

    private void print(String what, long contentLength, Supplier<Flux<ByteBuf>> body, int bar) throws Exception {
        Runnable upload = () -> {
            int status = client.headers(headers -> headers.set("Content-Length", contentLength))
                    .put()
                    .uri("/bucket/key")
                    .send(Flux.defer(body))
                    .responseSingle((response, content) ->
                            content.then().thenReturn(response.status().code()))
                    .blockOptional()
                    .orElseThrow();
            if (status != 200) {
                throw new IllegalStateException("Status " + status);
            }
        };
        for (int i = 0; i < WARM_UPS; i++) {
            upload.run();
        }
        Allocations least = Allocations.of(upload, onTheLoop);
        for (int i = 1; i < COUNTED; i++) {
            Allocations counted = Allocations.of(upload, onTheLoop);
            least = ownSum(counted) < ownSum(least) ? counted : least;
        }
        Map<String, Integer> all = least.byClass(Allocations.by(CLIENT));
        System.out.printf("%n%s: %,d objects on the client's event loop in all%n", what, Allocations.sum(all));
        ObjectCount.report("  of them the library's", least.byClass(UploadCount::own), bar);
    }

    private static int ownSum(Allocations counted) {
        return Allocations.sum(counted.byClass(UploadCount::own));
    }

    private static boolean own(String[] stack) {
        return Allocations.by(CLIENT).test(stack) && Allocations.byReslice(stack);
    }
}
