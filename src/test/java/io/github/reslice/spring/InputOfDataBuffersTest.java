package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.stage.Input;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.core.io.buffer.NettyDataBufferFactory;

/** A buffer may be read after parts of it have been taken, wherever a split leaves the rest's indices. */
class InputOfDataBuffersTest {

    static Stream<DataBufferFactory> factories() {
        return Stream.concat(
                Stream.of(DefaultDataBufferFactory.sharedInstance),
                Stream.of(
                                PooledByteBufAllocator.DEFAULT,
                                ByteBufAllocator.DEFAULT,
                                new UnpooledByteBufAllocator(true),
                                new UnpooledByteBufAllocator(false))
                        .map(NettyDataBufferFactory::new));
    }

    @ParameterizedTest
    @MethodSource("factories")
    void readsWhatIsLeftAfterATake(DataBufferFactory factory) {
        Input<DataBuffer> input = new Input<>(new DataBufferKind(factory));
        DataBuffer buffer = factory.allocateBuffer(10).write(new byte[] {9, 0, 1, 2, 3, 4});
        buffer.readPosition(1);
        input.set(buffer);

        assertThat(next(input, 2)).containsExactly(0, 1);
        DataBufferUtils.release(input.take(2));
        assertThat(next(input, 1)).containsExactly(2);
        input.skip(1);
        assertThat(next(input, 9)).containsExactly(3, 4);
        DataBufferUtils.release(input.take(9));
        assertThat(next(input, 9)).isEmpty();
    }

    private static byte[] next(Input<DataBuffer> input, int most) {
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        input.read(most, (bytes, from, length) -> {
            byte[] copy = new byte[length];
            bytes.get(from, copy);
            shown.writeBytes(copy);
        });
        return shown.toByteArray();
    }
}
