package io.github.reslice.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.AwsChunked;
import io.github.reslice.awschunked.DecodedLengthException;
import io.github.reslice.awschunked.ReferenceDecoder;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.RunningChecksum;
import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.spring.S3ExchangeFilter;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.publisher.Sinks;

/** One upload. What it sends and how, what becomes of it, and how it must end follow from its seed. */
final class Upload {

    private enum Way {
        ENCODED,
        PLAIN,
        UNKNOWN_LENGTH
    }

    private final long seed;
    private final Fate fate;
    private final Source source;
    private final int place;
    private final int declared;
    private final Way way;
    private final int chunkSize;
    private final ChecksumAlgorithm checksum;
    private final boolean readSlowly;
    private final AtomicBoolean tried = new AtomicBoolean();
    private final AtomicInteger arrivals = new AtomicInteger();
    private final Sinks.Empty<Void> cancel = Sinks.empty();

    Upload(long seed) {
        this.seed = seed;
        Random random = new Random(-seed);
        source = new Source(seed);
        int length = source.length();
        Fate drawn = oneOf(Fate.values(), random);
        fate = length == 0 && drawn == Fate.TOO_LONG ? Fate.COMPLETE : drawn;
        place = random.nextInt(4) == 0 ? length : random.nextInt(length + 1);
        declared = switch (fate) {
            case TOO_SHORT -> length + 1 + random.nextInt(100_000);
            case TOO_LONG -> random.nextInt(length);
            default -> length;
        };
        way = declared == length ? oneOf(Way.values(), random) : random.nextBoolean() ? Way.ENCODED : Way.PLAIN;
        chunkSize = random.nextBoolean() ? 8192 + random.nextInt(20_000) : 128 * 1024;
        checksum = oneOf(ChecksumAlgorithm.values(), random);
        readSlowly = random.nextInt(8) == 0;
    }

    private static <T> T oneOf(T[] values, Random random) {
        return values[random.nextInt(values.length)];
    }

    String path() {
        return "/bucket/" + seed;
    }

    /** What becomes of the attempt that has just come to the server. */
    Fate nextFate() {
        return fate == Fate.RESET_ONCE ? (tried.getAndSet(true) ? Fate.COMPLETE : Fate.RESET) : fate;
    }

    /** At how many bytes it happens, on the source's side or the server's. */
    int place() {
        return place;
    }

    boolean isReadSlowly() {
        return readSlowly;
    }

    /** How often its source runs and has not been told that the upload is over. */
    int runningSources() {
        return source.running();
    }

    void cancel() {
        Sinks.EmitResult unused = cancel.tryEmitEmpty();
    }

    Mono<ResponseEntity<Void>> by(WebClient client, ByteBufAllocator allocator) {
        WebClient.RequestBodySpec request =
                client.mutate().filter(filter()).build().put().uri(path());
        if (way != Way.UNKNOWN_LENGTH) {
            request.contentLength(declared);
        }
        int count = fate == Fate.SOURCE_FAILS || fate == Fate.CANCELLED ? place : source.length();
        return (source.isPooled()
                        ? request.body(source.dataBuffers(allocator, count, end()), DataBuffer.class)
                        : request.body(source.byteBuffers(count, end()), ByteBuffer.class))
                .retrieve()
                .toBodilessEntity()
                .retry(fate == Fate.RESET_ONCE ? 1 : 0)
                .takeUntilOther(cancel.asMono());
    }

    private <T> Flux<T> end() {
        return switch (fate) {
            case SOURCE_FAILS -> Flux.error(new SourceFailed());
            case CANCELLED -> Flux.<T>never().doOnSubscribe(subscription -> cancel());
            default -> Flux.empty();
        };
    }

    private S3ExchangeFilter filter() {
        S3ExchangeFilter.Builder filter = S3ExchangeFilter.builder()
                .credentials(AwsCredentials.of("test", "test"))
                .region("us-east-1")
                .chunked(AwsChunked.builder()
                        .chunkSize(chunkSize)
                        .checksum(checksum)
                        .build());
        return switch (way) {
            case ENCODED -> filter.build();
            case PLAIN -> filter.plainBodies().build();
            case UNKNOWN_LENGTH -> filter.transferEncodingChunked().build();
        };
    }

    /** What the server has in full must be the payload, of an upload that may arrive. */
    void assertWhole(byte[] body) {
        assertThat(fate.mayArrive()).as("may arrive").isTrue();
        if (way == Way.PLAIN) {
            assertSame(body);
        } else {
            ReferenceDecoder.Body decoded = ReferenceDecoder.decode(body);
            assertSame(decoded.payload());
            RunningChecksum expected = checksum.start();
            expected.update(source.bytes());
            assertThat(decoded.trailers()).containsOnly(Map.entry(checksum.headerName(), expected.base64()));
        }
        arrivals.incrementAndGet();
    }

    private void assertSame(byte[] body) {
        assertThat(ByteBuffer.wrap(body).mismatch(source.bytes()))
                .as("where %d bytes differ", body.length)
                .isNegative();
    }

    /** What has broken off since it may not arrive must not look whole to a server that does not count. */
    void assertBrokenOff(byte[] body) {
        if (way != Way.PLAIN && !fate.mayArrive()) {
            assertThatThrownBy(() -> ReferenceDecoder.decode(body)).isInstanceOf(ReferenceDecoder.Malformed.class);
        }
    }

    void assertEnd(Signal<ResponseEntity<Void>> end) {
        Throwable error = end.getThrowable();
        switch (fate) {
            case COMPLETE, RESET_ONCE -> {
                assertThat(error).isNull();
                assertThat(end.isOnNext()).as("has its answer").isTrue();
                assertThat(arrivals).hasValue(1);
            }
            case CANCELLED -> assertThat(end.isOnComplete()).as("was cancelled").isTrue();
            case ABANDONED -> {
                assertThat(error).isNull();
                assertThat(arrivals.get()).isGreaterThanOrEqualTo(end.isOnNext() ? 1 : 0);
            }
            case SOURCE_FAILS -> assertThat(error).hasRootCauseInstanceOf(SourceFailed.class);
            case TOO_SHORT, TOO_LONG -> assertThat(error).hasRootCauseInstanceOf(DecodedLengthException.class);
            case REFUSED -> {
                assertThat(error).isInstanceOf(WebClientResponseException.ServiceUnavailable.class);
                assertThat(arrivals).hasValue(1);
            }
            case REFUSED_EARLY ->
                assertThat(error)
                        .isInstanceOfAny(
                                WebClientResponseException.ServiceUnavailable.class, WebClientRequestException.class);
            case RESET -> assertThat(error).isInstanceOf(WebClientRequestException.class);
        }
    }

    @Override
    public String toString() {
        return "Upload with seed " + seed + ": " + fate + " at " + place + ", " + source + ", declared " + declared
                + ", " + way + " in chunks of " + chunkSize + " with " + checksum + (readSlowly ? ", read slowly" : "");
    }

    private static final class SourceFailed extends IOException {

        private static final long serialVersionUID = 1L;
    }
}
