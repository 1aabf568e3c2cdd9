package io.github.reslice;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.checksum.ChecksumAlgorithm;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** A receiver's {@code onErrorContinue} must not let a source leave bytes out: the body would look complete. */
class OnErrorContinueTest {

    private final AwsChunked chunked = AwsChunked.builder().build();
    private final List<String> pieces = new ArrayList<>();
    private final List<Object> continued = new ArrayList<>();

    @Test
    void aBodyOfUnknownLengthEndsWithTheErrorAndNoZeroChunk() {
        assertEndsWithTheError(chunked.encode());

        assertThat(pieces).isEmpty();
    }

    @Test
    void aBodyOfKnownLengthEndsWithTheErrorAndNoZeroChunk() {
        assertEndsWithTheError(chunked.encode("hello world".length()));

        assertThat(pieces).containsExactly("b\r\n", "hello ");
    }

    @Test
    void aStreamCutAnewEndsWithTheError() {
        assertEndsWithTheError(Reslice.toSize(4));

        assertThat(pieces).containsExactly("hell");
    }

    @Test
    void aTappedStreamEndsWithTheErrorAndTellsNoChecksum() {
        List<String> checksums = new ArrayList<>();
        assertEndsWithTheError(Checksums.tap(ChecksumAlgorithm.CRC32, checksums::add));

        assertThat(pieces).containsExactly("hello ");
        assertThat(checksums).isEmpty();
    }

    private void assertEndsWithTheError(Function<Flux<ByteBuffer>, Flux<ByteBuffer>> operator) {
        Flux<ByteBuffer> source = Flux.just("hello ", "BAD", "world").map(word -> {
            if (word.equals("BAD")) {
                throw new IllegalStateException("bad word");
            }
            return ByteBuffer.wrap(word.getBytes(US_ASCII));
        });

        StepVerifier.create(source.transform(operator)
                        .doOnNext(piece -> pieces.add(new String(Payload.copy(piece), US_ASCII)))
                        .onErrorContinue((e, element) -> continued.add(element)))
                .thenConsumeWhile(piece -> true)
                .verifyErrorMessage("bad word");
        assertThat(continued).isEmpty();
    }
}
