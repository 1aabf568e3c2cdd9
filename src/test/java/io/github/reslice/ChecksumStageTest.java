package io.github.reslice;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.stage.BufferKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChecksumStageTest {

    private final ByteBuffer buffer = ByteBuffer.wrap(new byte[] {1});
    private final List<Object> discarded = new ArrayList<>();
    private final ChecksumStage<ByteBuffer> stage =
            new ChecksumStage<>(BufferKind.BYTE_BUFFER, ChecksumAlgorithm.CRC32, checksum -> {});

    @Test
    void discardsAsItselfABufferThatWasNotPolled() {
        stage.feed(buffer);

        stage.discard(discarded::add);

        assertThat(discarded).singleElement().isSameAs(buffer);
    }

    @Test
    void discardsNoBufferThatWasPolled() {
        stage.feed(buffer);
        stage.poll();

        stage.discard(discarded::add);

        assertThat(discarded).isEmpty();
    }
}
