package io.github.reslice;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.ChecksumMismatchException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

class ChecksumsTest {

    // the CRCs' published check values, over the digits 1 to 9
    private static final String CRC32_OF_DIGITS = "y/Q5Jg==";
    private static final String CRC32C_OF_DIGITS = "4waSgw==";

    private final List<String> values = new ArrayList<>();

    @Test
    void tellsTheChecksumBeforeCompletion() {
        List<String> order = new ArrayList<>();

        ascii("1234", "56789")
                .transform(Checksums.tap(ChecksumAlgorithm.CRC32C, order::add))
                .doOnComplete(() -> order.add("complete"))
                .blockLast();

        assertThat(order).containsExactly(CRC32C_OF_DIGITS, "complete");
    }

    @Test
    void handsOnTheSameBuffersUntouched() {
        ByteBuffer heap = ByteBuffer.wrap("1234".getBytes(US_ASCII));
        ByteBuffer direct =
                ByteBuffer.allocateDirect(8).put("56789".getBytes(US_ASCII)).flip();
        ByteBuffer empty = ByteBuffer.allocate(0);

        List<ByteBuffer> passed = Flux.just(heap, empty, direct.asReadOnlyBuffer(), direct)
                .transform(Checksums.tap(ChecksumAlgorithm.SHA256, values::add))
                .collectList()
                .block();

        assertThat(passed.get(0)).isSameAs(heap);
        assertThat(passed.get(1)).isSameAs(empty);
        assertThat(passed.get(3)).isSameAs(direct);
        assertThat(passed).extracting(ByteBuffer::remaining).containsExactly(4, 0, 5, 5);
    }

    @Test
    void tellsTheChecksumOfNothing() {
        ascii().transform(Checksums.tap(ChecksumAlgorithm.CRC32, values::add)).blockLast();

        assertThat(values).containsExactly("AAAAAA==");
    }

    @Test
    void tellsNothingWhenTheStreamIsCancelled() {
        ascii("1", "2")
                .transform(Checksums.tap(ChecksumAlgorithm.CRC32, values::add))
                .take(1)
                .blockLast();

        assertThat(values).isEmpty();
    }

    @Test
    void tellsNothingWhenTheStreamFails() {
        StepVerifier.create(ascii("1")
                        .concatWith(Flux.error(new IllegalStateException("upstream")))
                        .transform(Checksums.tap(ChecksumAlgorithm.CRC32, values::add)))
                .expectNextCount(1)
                .verifyErrorMessage("upstream");

        assertThat(values).isEmpty();
    }

    @Test
    void failsWithWhatTheConsumerThrows() {
        StepVerifier.create(ascii("1").transform(Checksums.tap(ChecksumAlgorithm.CRC32, value -> {
                    throw new IllegalStateException("consumer");
                })))
                .expectNextCount(1)
                .verifyErrorMessage("consumer");
    }

    @Test
    void startsFreshForASecondSubscription() {
        Flux<ByteBuffer> tapped = ascii("123456789").transform(Checksums.tap(ChecksumAlgorithm.CRC32, values::add));

        tapped.blockLast();
        tapped.blockLast();

        assertThat(values).containsExactly(CRC32_OF_DIGITS, CRC32_OF_DIGITS);
    }

    @Test
    void completesWhenTheChecksumIsTheExpectedOne() {
        StepVerifier.create(ascii("123456789").transform(Checksums.verify(ChecksumAlgorithm.CRC32C, CRC32C_OF_DIGITS)))
                .expectNextCount(1)
                .verifyComplete();
    }

    @Test
    void failsWithBothValuesInThePlaceOfCompletion() {
        StepVerifier.create(ascii("12345678X").transform(Checksums.verify(ChecksumAlgorithm.CRC32C, CRC32C_OF_DIGITS)))
                .expectNextCount(1)
                .verifyErrorSatisfies(e -> {
                    assertThat(e).isInstanceOf(ChecksumMismatchException.class).hasMessageContaining(CRC32C_OF_DIGITS);
                    ChecksumMismatchException mismatch = (ChecksumMismatchException) e;
                    assertThat(mismatch.expected()).isEqualTo(CRC32C_OF_DIGITS);
                    assertThat(mismatch.actual()).isNotEqualTo(CRC32C_OF_DIGITS).hasSize(8);
                    assertThat(mismatch).hasMessageContaining(mismatch.actual());
                });
    }

    @Test
    void refusesACompositeChecksumWhenBuilt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checksums.verify(ChecksumAlgorithm.CRC32C, "yZRlqg==-2"))
                .withMessageContaining("yZRlqg==-2")
                .withMessageContaining("composite");
    }

    @Test
    void refusesAChecksumOfAnotherLengthWhenBuilt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checksums.verify(ChecksumAlgorithm.SHA256, CRC32C_OF_DIGITS))
                .withMessageContaining(CRC32C_OF_DIGITS)
                .withMessageContaining("32 bytes");
    }

    @Test
    void refusesNoKind() {
        assertThatNullPointerException()
                .isThrownBy(() -> Checksums.tap(null, ChecksumAlgorithm.CRC32, values::add))
                .withMessage("kind");
    }

    @Test
    void combinesTheChecksumsOfTwoParts() {
        String first = checksum("1234");
        String second = checksum("56789");

        assertThat(Checksums.combine(ChecksumAlgorithm.CRC32, first, second, 5)).isEqualTo(CRC32_OF_DIGITS);
    }

    @Test
    void refusesToCombineDigests() {
        String sha = checksum(ChecksumAlgorithm.SHA1, "1");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checksums.combine(ChecksumAlgorithm.SHA1, sha, sha, 1))
                .withMessageContaining("SHA1");
    }

    private static String checksum(String text) {
        return checksum(ChecksumAlgorithm.CRC32, text);
    }

    private static String checksum(ChecksumAlgorithm algorithm, String text) {
        List<String> values = new ArrayList<>();
        ascii(text).transform(Checksums.tap(algorithm, values::add)).blockLast();
        return values.get(0);
    }

    private static Flux<ByteBuffer> ascii(String... texts) {
        return Flux.fromArray(texts).map(text -> ByteBuffer.wrap(text.getBytes(US_ASCII)));
    }
}
