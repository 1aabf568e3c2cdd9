package io.github.reslice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.awschunked.DecodedLengthException;
import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExactLengthStageTest {

    private final ByteBuffer three = ByteBuffer.allocate(3);
    private final ByteBuffer two = ByteBuffer.allocate(2);
    private final List<Object> discarded = new ArrayList<>();

    private static ExactLengthStage<ByteBuffer> of(long declared) {
        return new ExactLengthStage<>(BufferKind.BYTE_BUFFER, declared);
    }

    @Test
    void handsOnTheSameObjects() {
        ExactLengthStage<ByteBuffer> stage = of(5);

        stage.feed(three);
        assertThat(stage.poll()).isSameAs(three);
        assertThat(stage.poll()).isNull();
        stage.feed(two);
        stage.poll();
        stage.end();
        assertThat(stage.poll()).isSameAs(two);
        assertThat(stage.poll()).isNull();
    }

    @Test
    void holdsTheBufferThatCompletesTheLengthUntilTheEnd() {
        ExactLengthStage<ByteBuffer> stage = of(3);

        stage.feed(three);

        assertThat(stage.poll()).isNull();
        stage.feed(ByteBuffer.allocate(0));
        assertThat(stage.poll()).isNull();
        stage.end();
        assertThat(stage.poll()).isSameAs(three);
    }

    @Test
    void refusesWhatGoesBeyondBeforeTheLengthIsReached() {
        ExactLengthStage<ByteBuffer> stage = of(3);
        stage.feed(three);
        assertThat(stage.poll()).isNull();

        assertThatThrownBy(() -> stage.feed(two)).isInstanceOfSatisfying(DecodedLengthException.class, e -> {
            assertThat(e.declared()).isEqualTo(3);
            assertThat(e.received()).isEqualTo(5);
        });
        stage.discard(discarded::add);
        assertThat(discarded).containsExactly(three);
    }

    @Test
    void refusesABodyThatIsTooShort() {
        ExactLengthStage<ByteBuffer> stage = of(4);
        stage.feed(three);
        stage.poll();

        assertThatThrownBy(stage::end)
                .isInstanceOf(DecodedLengthException.class)
                .hasMessageContaining("4 bytes");
    }

    @Test
    void takesNothingForALengthOfZero() {
        ExactLengthStage<ByteBuffer> stage = of(0);

        assertThat(stage.poll()).isNull();
        stage.end();
        assertThat(stage.poll()).isNull();
    }
}
