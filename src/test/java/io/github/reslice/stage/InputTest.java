package io.github.reslice.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InputTest {

    private final Input<ByteBuffer> input = new Input<>(BufferKind.BYTE_BUFFER);
    private final ByteBuffer buffer =
            ByteBuffer.wrap(new byte[] {9, 0, 1, 2, 3, 9}).position(1).limit(5);
    private final List<Object> discarded = new ArrayList<>();

    @Test
    void isEmptyBeforeTheFirstBuffer() {
        assertThat(input.isEmpty()).isTrue();
        assertThat(input.remaining()).isZero();
    }

    @Test
    void hasNothingToTakeWhenEmpty() {
        assertThatExceptionOfType(NoSuchElementException.class)
                .isThrownBy(() -> input.take(1))
                .withMessage("The input is empty");
    }

    @Test
    void hasNothingToTakeOfAnEmptyBuffer() {
        input.set(ByteBuffer.allocate(0));

        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> input.take(1));
    }

    @Test
    void hasNothingToTakeWhenAllIsTaken() {
        input.set(buffer);
        input.take(4);

        assertThat(input.isEmpty()).isTrue();
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> input.take(1));
    }

    @Test
    void givesTheBufferItselfWhenAllIsWanted() {
        input.set(buffer);

        assertThat(input.take(4)).isSameAs(buffer);
    }

    @Test
    void givesTheBufferItselfWhenMoreIsWanted() {
        input.set(buffer);

        assertThat(input.take(Integer.MAX_VALUE)).isSameAs(buffer);
    }

    @Test
    void givesViewsInOrderWhenPartsAreWanted() {
        input.set(buffer);

        assertThat(input.take(1)).isEqualTo(bytes(0));
        assertThat(input.remaining()).isEqualTo(3);
        assertThat(input.take(2)).isEqualTo(bytes(1, 2));
        assertThat(input.take(2)).isEqualTo(bytes(3));
        assertThat(buffer).isEqualTo(bytes(0, 1, 2, 3));
    }

    @Test
    void givesViewsOfTheBuffersOwnMemory() {
        input.set(buffer);

        assertThat(input.take(2).array()).isSameAs(buffer.array());
        assertThat(input.take(2).array()).isSameAs(buffer.array());
    }

    @Test
    void givesTheBytesThatWereFedThoughAReceiverReadTheBuffer() {
        input.set(buffer);
        buffer.position(4);

        assertThat(input.take(4)).isEqualTo(bytes(0, 1, 2, 3));
    }

    @Test
    void startsAnewWithTheNextBuffer() {
        input.set(buffer);
        input.take(4);
        ByteBuffer next = bytes(5, 6);
        input.set(next);

        assertThat(input.remaining()).isEqualTo(2);
        assertThat(input.take(2)).isSameAs(next);
    }

    @Test
    void tellsTheMemoryThatAPieceKeepsAlive() {
        input.set(buffer);
        input.take(1);

        assertThat(input.footprint()).isEqualTo(6);
    }

    @Test
    void discardsAnUntouchedBufferAsItself() {
        input.set(buffer);

        input.discard(discarded::add);

        assertThat(discarded).singleElement().isSameAs(buffer);
    }

    @Test
    void discardsTheRestOfABufferPartlyTaken() {
        input.set(buffer);
        input.take(1);

        input.discard(discarded::add);

        assertThat(discarded).containsExactly(bytes(1, 2, 3));
    }

    @Test
    void discardsNothingWhenAllIsTaken() {
        input.set(buffer);
        input.take(4);

        input.discard(discarded::add);

        assertThat(discarded).isEmpty();
    }

    @Test
    void discardsOnce() {
        input.set(buffer);

        input.discard(discarded::add);
        input.discard(discarded::add);

        assertThat(discarded).hasSize(1);
        assertThat(input.isEmpty()).isTrue();
    }

    @Test
    void putsAnUnsentViewBack() {
        input.set(buffer);
        input.take(1);
        ByteBuffer unsent = input.take(2);

        input.discardUnsent(unsent, discarded::add);
        input.discard(discarded::add);

        assertThat(discarded).containsExactly(bytes(1, 2, 3));
    }

    @Test
    void putsAnUnsentFirstViewBackSoThatTheBufferIsWhole() {
        input.set(buffer);
        ByteBuffer unsent = input.take(1);

        input.discardUnsent(unsent, discarded::add);
        input.discard(discarded::add);

        assertThat(discarded).singleElement().isSameAs(buffer);
    }

    @Test
    void discardsAnUnsentLastPiece() {
        input.set(buffer);
        input.take(1);
        ByteBuffer unsent = input.take(3);

        input.discardUnsent(unsent, discarded::add);
        input.discard(discarded::add);

        assertThat(discarded).singleElement().isSameAs(unsent);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void refusesToTakeLessThanOneByte(int most) {
        input.set(buffer);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> input.take(most))
                .withMessageContaining(String.valueOf(most));
        assertThat(input.remaining()).isEqualTo(4);
    }

    @Test
    void refusesABufferWhileOneIsHeld() {
        input.set(buffer);
        input.take(1);

        assertThatIllegalStateException().isThrownBy(() -> input.set(bytes(5)));
        assertThat(input.take(3)).isEqualTo(bytes(1, 2, 3));
    }

    private static ByteBuffer bytes(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length);
        for (int value : values) {
            bytes.put((byte) value);
        }
        return bytes.flip();
    }
}
