package io.github.reslice.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import reactor.core.publisher.Flux;

/** An allocator that knows which of its buffers are still out. */
final class TrackedAllocator {

    private final Queue<ByteBuf> made = new ConcurrentLinkedQueue<>();
    private final ByteBufAllocator allocator;

    TrackedAllocator(ByteBufAllocator of) {
        allocator = (ByteBufAllocator) Proxy.newProxyInstance(
                TrackedAllocator.class.getClassLoader(),
                new Class<?>[] {ByteBufAllocator.class},
                (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(of, arguments);
                        if (result instanceof ByteBuf buffer) {
                            made.add(buffer);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    ByteBufAllocator allocator() {
        return allocator;
    }

    /** The bytes in direct buffers of one size, each made when it is asked for. */
    Flux<ByteBuf> buffers(byte[] bytes, int size) {
        return Flux.generate(() -> 0, (from, sink) -> {
            if (from >= bytes.length) {
                sink.complete();
                return from;
            }
            int length = Math.min(size, bytes.length - from);
            sink.next(allocator.directBuffer(length).writeBytes(bytes, from, length));
            return from + length;
        });
    }

    /** How many buffers were made. */
    int count() {
        return made.size();
    }

    /** How many have an owner. A recycled one counts as often as it was made. */
    long live() {
        return made.stream().filter(buffer -> buffer.refCnt() > 0).count();
    }
}
