package io.github.reslice.benchmarks.objects;

import io.github.reslice.AwsChunked;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.netty.ByteBufs;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Counts the objects that it takes to encode 100 MiB, once warm: 6,400 buffers of 16 KiB, on an event loop, for a receiver that
 * releases each piece at once. The source makes none of its own.
 */
final class ObjectCount {

    private static final int SIZE = 16 * 1024;
    private static final int BUFFERS = 6_400;
    private static final String THREAD = "counted";
    private static final int WARM_UPS = 100;
    private static final int COUNTED = 10;

    /** Of objects for a whole body, whatever its length. */
    static final int BAR = 39;

    private static final List<String> MISSED = new CopyOnWriteArrayList<>();

    private ObjectCount() {}

    public static void main(String[] args) throws Exception {
        // the detector follows one buffer in 128 with objects of its own, for each duplicate of it
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        EventLoopGroup group =
                new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(THREAD), NioIoHandler.newFactory());
        group.submit(ObjectCount::count).get();
        group.shutdownGracefully();
        UploadCount.print(SIZE, BUFFERS);
        MISSED.forEach(what -> System.err.println("Missed: " + what));
        System.exit(MISSED.isEmpty() ? 0 : 1);
    }

    private static Void count() throws Exception {
        ByteBufAllocator pooled = PooledByteBufAllocator.DEFAULT;
        print("PooledByteBufAllocator, all at once", pooled, SIZE, Long.MAX_VALUE, BAR);
        print("the same, 64 by 64", pooled, SIZE, 64, BAR);
        print("the same, in buffers of 17 KiB, which straddle the chunks", pooled, 17 * 1024, Long.MAX_VALUE, BAR);
        // a header for each chunk, and a view for each buffer that the checksum reads
        int adaptive = 2 * (BUFFERS + BAR);
        print("the default allocator, all at once", ByteBufAllocator.DEFAULT, SIZE, Long.MAX_VALUE, adaptive);
        return null;
    }

    private static void print(String what, ByteBufAllocator allocator, int size, long demand, int bar)
            throws Exception {
        AwsChunked chunked = AwsChunked.builder()
                .chunkSize(SIZE)
                .checksum(ChecksumAlgorithm.CRC32C)
                .build();
        PooledSource source = new PooledSource(allocator, size, BUFFERS);
        Receiver receiver = new Receiver(demand);
        long length = source.length();
        long encoded = chunked.encodedLength(length);
        Runnable upload = () -> {
            source.transform(ByteBufs.encode(chunked, length, allocator)).subscribe(receiver);
            receiver.require(encoded);
        };
        for (int i = 0; i < WARM_UPS; i++) {
            upload.run();
        }
        for (int i = 0; i < 3; i++) {
            Allocations.of(upload, Runnable::run); // the counting itself warms up
        }
        Map<String, Integer> most = Map.of();
        for (int i = 0; i < COUNTED; i++) {
            Map<String, Integer> counts = Allocations.of(upload, Runnable::run).byClass(Allocations.by(THREAD));
            if (Allocations.sum(counts) >= Allocations.sum(most)) {
                most = counts;
            }
        }
        report(what, most, bar);
    }

    static void report(String what, Map<String, Integer> counts, int bar) {
        System.out.printf("%n%s: %,d objects%n", what, Allocations.sum(counts));
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .forEach(e -> System.out.printf("  %,8d  %s%n", e.getValue(), e.getKey()));
        if (Allocations.sum(counts) > bar) {
            MISSED.add(what.strip() + ": more than " + bar);
        }
    }
}
