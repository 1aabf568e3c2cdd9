package io.github.reslice;

import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.sigv4.SigV4;
import io.github.reslice.stage.BufferKind;
import io.github.reslice.stage.Input;
import io.github.reslice.stage.Stage;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** What a user without Spring, Netty and the AWS SDK does. Run by {@link CoreAloneTest}. */
public final class CoreProgram {

    private CoreProgram() {}

    /** What comes out of each operator of the core for the same text. */
    public static List<String> run() {
        return List.of(
                through(Stage.operator(Threes::new)),
                through(Reslice.toSize(4)),
                through(Checksums.verify(ChecksumAlgorithm.CRC32C, "yZRlqg==")),
                through(Checksums.verify(ChecksumAlgorithm.CRC64NVME, "jSnVw/bqjr4=")),
                through(AwsChunked.builder().build().encode()),
                through(AwsChunked.builder().build().encode(11)),
                through(signing()));
    }

    /** What it says of a checksum whose library is missing, to whoever asks for it. */
    public static List<String> refusals() {
        ChecksumAlgorithm missing = ChecksumAlgorithm.XXHASH3;
        return Stream.<Runnable>of(
                        missing::start,
                        missing::requireAvailable,
                        () -> AwsChunked.builder().checksum(missing),
                        () -> AwsChunkedDecoder.builder().trailer(missing.headerName()),
                        () -> Checksums.tap(missing, value -> {}),
                        () -> Checksums.verify(missing, "1Eex6kDmmIs="))
                .map(CoreProgram::refusal)
                .toList();
    }

    /** What goes out with a value of the same checksum that is known already. */
    public static String knownValueOfTheMissing() {
        return through(AwsChunked.builder()
                .checksum(ChecksumAlgorithm.XXHASH3, "1Eex6kDmmIs=")
                .build()
                .encode(11));
    }

    private static String refusal(Runnable use) {
        try {
            use.run();
            return "none";
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static Function<Flux<ByteBuffer>, Flux<ByteBuffer>> signing() {
        AwsChunked.Signed signed = AwsChunked.builder().build().signed();
        SigV4 sigv4 = SigV4.builder()
                .region("us-east-1")
                .clock(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC))
                .build();
        URI uri = URI.create("http://127.0.0.1:9000/bucket/key");
        return signed.encode(11, sigv4.sign("PUT", uri, signed.headers(11), AwsCredentials.of("access", "secret")));
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
