package io.github.reslice;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.reslice.awschunked.DecodedLengthException;
import io.github.reslice.awschunked.Sliced;
import io.github.reslice.checksum.ChecksumAlgorithm;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.http.auth.aws.internal.signer.chunkedencoding.ChunkedEncodedPublisher;

/**
 * The AWS SDK's own encoder gives the same bytes, but for three known faults of it, which are pinned here: should the SDK
 * mend one, a test fails and this list gets shorter.
 */
class AwsSdkEncoderAgreementTest {

    @Test
    void randomBodiesAreTheSame() {
        for (int seed = 0; seed < Effort.cases(2_000, 20_000); seed++) {
            Random random = new Random(seed);
            int bound = random.nextInt(10) == 0 ? 100_000 : 20_000;
            byte[] payload = new byte[random.nextInt(bound)];
            random.nextBytes(payload);
            int chunkSize = random.nextInt(4) == 0 && payload.length >= 8192
                    ? Math.max(8192, payload.length / (1 + random.nextInt(3)))
                    : 8192 + random.nextInt(20_000);
            ChecksumAlgorithm algorithm = SdkTrailer.ALGORITHMS.get(random.nextInt(SdkTrailer.ALGORITHMS.size()));
            AwsChunked chunked = AwsChunked.builder()
                    .chunkSize(chunkSize)
                    .checksum(algorithm)
                    .build();

            Sliced sliced = Sliced.atRandom(payload, random);
            byte[] ours = bytes(sliced.flux().transform(chunked.encode(payload.length)));
            byte[] theirs = bytes(sdk(sliced.flux(), payload.length, chunkSize, algorithm));

            assertThat(ours).as("random case with seed %s", seed).isEqualTo(theirs);
        }
    }

    @Test
    void aBodyThatIsTooLongIsCutByTheSdkAndRefusedHere() {
        Flux<ByteBuffer> source = Flux.just(ascii("hello world"));

        assertThat(text(sdk(source, 5, 8192, ChecksumAlgorithm.CRC32))).startsWith("5\r\nhello\r\n0\r\n");
        assertThatExceptionOfType(DecodedLengthException.class)
                .isThrownBy(() -> bytes(Flux.just(ascii("hello world"))
                        .transform(AwsChunked.builder().build().encode(5))));
    }

    @Test
    void aBodyThatIsTooShortIsCompletedByTheSdkAndRefusedHere() {
        Flux<ByteBuffer> source = Flux.just(ascii("hello world"));

        assertThat(text(sdk(source, 20, 8192, ChecksumAlgorithm.CRC32)))
                .isEqualTo("b\r\nhello world\r\n0\r\nx-amz-checksum-crc32:DUoRhQ==\r\n\r\n");
        assertThatExceptionOfType(DecodedLengthException.class)
                .isThrownBy(() -> bytes(Flux.just(ascii("hello world"))
                        .transform(AwsChunked.builder().build().encode(20))));
    }

    @Test
    void aSecondSubscriptionIsEmptyAtTheSdkAndTheSameHere() {
        Publisher<ByteBuffer> theirs = sdk(Flux.just(ascii("hello world")), 11, 8192, ChecksumAlgorithm.CRC32);
        Flux<ByteBuffer> ours = Flux.just(ascii("hello world"))
                .transform(AwsChunked.builder().build().encode(11));

        assertThat(text(theirs)).startsWith("b\r\nhello world\r\n");
        assertThat(text(theirs)).isEqualTo("0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n");
        assertThat(text(ours)).isEqualTo(text(ours)).startsWith("b\r\nhello world\r\n");
    }

    private static Publisher<ByteBuffer> sdk(
            Flux<ByteBuffer> source, long length, int chunkSize, ChecksumAlgorithm algorithm) {
        SdkTrailer trailer = new SdkTrailer(algorithm);
        return ChunkedEncodedPublisher.builder()
                .publisher(trailer.reading(source))
                .contentLength(length)
                .chunkSize(chunkSize)
                .addEmptyTrailingChunk(true)
                .addTrailer(trailer)
                .build();
    }

    private static byte[] bytes(Publisher<ByteBuffer> body) {
        List<ByteBuffer> pieces = Flux.from(body).collectList().block();
        return Sliced.join(pieces == null ? List.of() : pieces);
    }

    private static String text(Publisher<ByteBuffer> body) {
        return new String(bytes(body), US_ASCII);
    }

    private static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(text.getBytes(US_ASCII));
    }
}
