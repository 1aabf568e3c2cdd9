package io.github.reslice.awschunked;

import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Stage;
import java.util.List;
import org.junit.jupiter.api.Nested;

class HeldMemoryTest {

    @Nested
    class OfAnUnknownLength extends HeldMemorySuite {

        @Override
        <B> Stage<B, B> encoder(int chunkSize, BufferKind<B> kind) {
            return new UnknownLengthEncoder<>(new Layout(chunkSize, null, List.of()), kind);
        }
    }

    @Nested
    class OfASignedBody extends HeldMemorySuite {

        @Override
        <B> Stage<B, B> encoder(int chunkSize, BufferKind<B> kind) {
            return new SignedEncoder<>(new SignedLayout(new Layout(chunkSize, null, List.of())), kind, Seed.any());
        }
    }
}
