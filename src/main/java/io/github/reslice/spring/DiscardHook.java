package io.github.reslice.spring;

import java.util.function.Function;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Has an operator release the buffers that it discards, exactly once, whatever hook the receiver has.
 *
 * <p>Reactor runs a hook beside the hooks that are there already, never instead of them. Two that release would take two
 * references where one was held, and a split buffer shares its count with parts that Netty may still be writing. So the
 * operator sees this hook only. And what is upstream of it sees the receiver's alone, as it
 * would without the operator, since sources that hold buffers bring a hook of their own.
 */
final class DiscardHook {

    private static final Object KEY =
            release(Context.empty()).stream().findFirst().orElseThrow().getKey();

    private DiscardHook() {}

    static Function<Flux<DataBuffer>, Flux<DataBuffer>> inPlaceOfReceivers(
            Function<Flux<DataBuffer>, Flux<DataBuffer>> operator) {
        return source -> Flux.deferContextual(receiver -> around(operator, source, receiver));
    }

    private static Flux<DataBuffer> around(
            Function<Flux<DataBuffer>, Flux<DataBuffer>> operator, Flux<DataBuffer> source, ContextView receiver) {
        return source.contextWrite(context -> restore(context, receiver))
                .transform(operator)
                .contextWrite(DiscardHook::release);
    }

    private static Context restore(Context context, ContextView receiver) {
        return receiver.hasKey(KEY) ? context.put(KEY, receiver.get(KEY)) : context.delete(KEY);
    }

    private static Context release(Context context) {
        return Operators.enableOnDiscard(context, element -> {
            if (element instanceof DataBuffer buffer) {
                DataBufferUtils.release(buffer);
            }
        });
    }
}
