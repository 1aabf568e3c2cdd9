package io.github.reslice;

import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Input;
import io.github.reslice.stage.Stage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** What a user without Spring, Netty and the AWS SDK does. Run by {@link CoreAloneTest}. */
public final class CoreProgram {

    private CoreProgram() {}

    /** What comes out of each operator of the core for the same text. */
    public static List<String> run() {
        return List.of(through(Stage.operator(Threes::new)));
    }

    private static String through(Function<Flux<ByteBuffer>, Flux<ByteBuffer>> operator) {
        return Flux.just("hello", " ", "world")
                .map(StandardCharsets.UTF_8::encode)
                .transform(operator)
                .map(buffer -> StandardCharsets.UTF_8.decode(buffer).toString())
                .collectList()
                .map(pieces -> String.join("|", pieces))
                .block();
    }

    /** Cuts each buffer into pieces of three bytes. */
    private static final class Threes implements Stage<ByteBuffer, ByteBuffer> {

        private final Input<ByteBuffer> input = new Input<>(BufferKind.BYTE_BUFFER);

        @Override
        public void feed(ByteBuffer buffer) {
            input.set(buffer);
        }

        @Override
        public void end() {}

        @Override
        public @Nullable ByteBuffer poll() {
            return input.isEmpty() ? null : input.take(3);
        }

        @Override
        public void discard(Consumer<Object> sink) {
            input.discard(sink);
        }
    }
}
