package io.github.reslice.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.Effort;
import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.HttpComponentsClientHttpConnector;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.http.client.reactive.JettyClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Signal;
import reactor.netty.resources.ConnectionProvider;

/**
 * Many uploads, eight at a time, of which most fail in some way: each ends as it has to, gives back what it took, and leaves
 * nothing behind.
 */
class SoakTest {

    private static final int UPLOADS = Effort.cases(300, 20_000);
    private static final long FIRST_SEED = 40_000;
    private static final int AT_A_TIME = 8;

    private static final List<String> CLIENTS =
            List.of("Reactor Netty", "the JDK's client", "Jetty's client", "Apache's client");

    /** So long only where something hangs. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Pools keep what they have once taken; in the quick form they still grow. */
    private static final long SLACK = 32L << 20;

    private final AtomicInteger next = new AtomicInteger();
    private final SoakServer server = new SoakServer();
    private final ExecutorService workers = Executors.newFixedThreadPool(AT_A_TIME);

    /** One for the sources of each worker, so that what is left tells whose it was. */
    private final List<PooledByteBufAllocator> ofSources =
            Stream.generate(SoakTest::withoutCache).limit(AT_A_TIME).toList();

    /** For what Reactor Netty makes, and the framing with it. */
    private final PooledByteBufAllocator ofConnector = withoutCache();

    private final List<PooledByteBufAllocator> allocators =
            Stream.concat(ofSources.stream(), Stream.of(ofConnector)).toList();

    private final ConnectionProvider pool = ConnectionProvider.create("soak", 2 * AT_A_TIME);
    private final org.eclipse.jetty.client.HttpClient jetty = new org.eclipse.jetty.client.HttpClient();
    private final CloseableHttpAsyncClient apache = HttpAsyncClients.custom()
            .setConnectionManager(PoolingAsyncClientConnectionManagerBuilder.create()
                    .setMaxConnPerRoute(2 * AT_A_TIME)
                    .build())
            .build();
    private final List<WebClient> clients = List.of(
            client(new ReactorClientHttpConnector(
                    reactor.netty.http.client.HttpClient.create(pool).option(ChannelOption.ALLOCATOR, ofConnector))),
            client(new JdkClientHttpConnector(
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build())),
            client(new JettyClientHttpConnector(jetty)),
            client(new HttpComponentsClientHttpConnector(apache)));

    SoakTest() throws IOException {}

    private WebClient client(ClientHttpConnector connector) {
        return WebClient.builder()
                .clientConnector(connector)
                .baseUrl(server.endpoint().toString())
                .build();
    }

    @AfterEach
    void stop() throws Exception {
        workers.shutdownNow();
        pool.dispose();
        jetty.stop();
        apache.close();
        server.close();
    }

    @Test
    void uploadsEndAsTheyMustAndLeaveNothingBehind() throws Exception {
        uploadUpTo(UPLOADS / 3);
        Usage early = Usage.now(allocators);
        uploadUpTo(UPLOADS);
        Usage late = Usage.now(allocators);

        String growth = "after %d uploads from seed %d on there are %s, after %d there were %s"
                .formatted(UPLOADS, FIRST_SEED, late, UPLOADS / 3, early);
        assertThat(late.heap() - early.heap()).as(growth).isLessThan(SLACK);
        assertThat(late.direct() - early.direct()).as(growth).isLessThan(SLACK);
        assertThat(late.threads() - early.threads()).as(growth).isLessThan(4 * AT_A_TIME);
    }

    private void uploadUpTo(int end) throws Exception {
        List<Future<?>> running = new ArrayList<>();
        for (PooledByteBufAllocator allocator : ofSources) {
            running.add(workers.submit(() -> {
                uploadInTurn(end, allocator);
                return null;
            }));
        }
        for (Future<?> each : running) {
            each.get();
        }
        next.set(end);
        // a source that was cancelled may have made one more buffer after its upload was looked at
        for (PooledByteBufAllocator allocator : allocators) {
            awaitAtMost(0, () -> unreleased(allocator), "buffers not released");
        }
        awaitAtMost(4 * AT_A_TIME, server::connections, "connections, of which each client needs " + AT_A_TIME);
        assertThat(server.failures()).isEmpty();
    }

    private void uploadInTurn(int end, PooledByteBufAllocator allocator) throws InterruptedException {
        for (int n = next.getAndIncrement(); n < end && server.failures().isEmpty(); n = next.getAndIncrement()) {
            Upload upload = new Upload(FIRST_SEED + n);
            server.expect(upload);
            try {
                Signal<ResponseEntity<Void>> result =
                        upload.by(clients.get(n % 4), allocator).materialize().block(PATIENCE);
                upload.assertEnd(result);
                awaitAtMost(0, upload::runningSources, "sources that still run");
                awaitAtMost(0, () -> unreleased(allocator), "buffers not released");
            } catch (AssertionError | RuntimeException e) {
                next.set(end); // no more for the others
                throw new AssertionError(upload + " by " + CLIENTS.get(n % 4), e);
            }
        }
    }

    /** Waits, since connectors release and close on threads of their own. */
    private static void awaitAtMost(int bound, IntSupplier count, String what) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        int now = count.getAsInt();
        while (now > bound && System.nanoTime() < deadline) {
            Thread.sleep(1);
            now = count.getAsInt();
        }
        assertThat(now).as(what).isLessThanOrEqualTo(bound);
    }

    /** Exact, since there is no cache between the buffers and the arenas that count them. */
    private static PooledByteBufAllocator withoutCache() {
        return new PooledByteBufAllocator(true, 1, 1, 8192, 6, 0, 0, false);
    }

    private static int unreleased(PooledByteBufAllocator allocator) {
        return Math.toIntExact(
                Stream.of(allocator.metric().directArenas(), allocator.metric().heapArenas())
                        .flatMap(List::stream)
                        .mapToLong(PoolArenaMetric::numActiveAllocations)
                        .sum());
    }
}
