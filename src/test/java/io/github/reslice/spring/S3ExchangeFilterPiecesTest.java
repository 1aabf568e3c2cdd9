package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.reslice.sigv4.AwsCredentials;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.AbstractClientHttpRequest;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ExchangeStrategies;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** In which pieces a connector gets a body of 128 KiB, one chunk. */
class S3ExchangeFilterPiecesTest {

    private static final int KIB = 1024;
    private static final int HEADER = "20000\r\n".length();
    private static final int END = "\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n".length();
    private static final DataBufferFactory OF_THE_JDKS_CONNECTOR = DefaultDataBufferFactory.sharedInstance;
    private static final DataBufferFactory OF_REACTOR_NETTYS =
            new NettyDataBufferFactory(UnpooledByteBufAllocator.DEFAULT);

    @Test
    void joinsSmallBuffers() {
        List<Integer> expected = new ArrayList<>(Collections.nCopies(8, 16 * KIB));
        expected.set(0, HEADER + 15 * KIB);
        expected.add(KIB + END);
        assertThat(pieces(OF_THE_JDKS_CONNECTOR, KIB, filter -> filter.joinUpTo(16 * KIB)))
                .isEqualTo(expected);
    }

    @Test
    void joinsNoBuffersOfMoreThanHalfTheSize() {
        assertThat(pieces(OF_THE_JDKS_CONNECTOR, 16 * KIB, filter -> filter.joinUpTo(32 * KIB - 1)))
                .isEqualTo(each(16 * KIB));
    }

    @Test
    void joinsAsFarAsItIsTold() {
        assertThat(pieces(OF_THE_JDKS_CONNECTOR, 16 * KIB, filter -> filter.joinUpTo(64 * KIB)))
                .containsExactly(HEADER + 48 * KIB, 64 * KIB, 16 * KIB + END);
    }

    @Test
    void fillsTheHeadersPieceUpFromALargerBuffer() {
        assertThat(pieces(OF_REACTOR_NETTYS, 64 * KIB, filter -> filter.joinUpTo(256)))
                .containsExactly(256, HEADER + 64 * KIB - 256, 64 * KIB, END);
    }

    @Test
    void joinsBuffersForReactorNettyToo() {
        assertThat(pieces(OF_REACTOR_NETTYS, 4 * KIB, filter -> filter.joinUpTo(64 * KIB)))
                .containsExactly(HEADER + 60 * KIB, 64 * KIB, 4 * KIB + END);
    }

    @Test
    void joinsNothingByDefault() {
        assertThat(pieces(OF_THE_JDKS_CONNECTOR, KIB, filter -> filter)).isEqualTo(each(KIB));
        assertThat(pieces(OF_REACTOR_NETTYS, KIB, filter -> filter)).isEqualTo(each(KIB));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1024 * 1024 + 1})
    void refusesASizeOutOfBounds(int size) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> S3ExchangeFilter.builder().joinUpTo(size))
                .withMessage("Small pieces are joined up to 0 to 1048576 bytes, was " + size);
    }

    private static List<Integer> each(int bufferSize) {
        List<Integer> sizes = new ArrayList<>();
        sizes.add(HEADER);
        sizes.addAll(Collections.nCopies(128 * KIB / bufferSize, bufferSize));
        sizes.add(END);
        return sizes;
    }

    private static List<Integer> pieces(
            DataBufferFactory factory, int bufferSize, UnaryOperator<S3ExchangeFilter.Builder> settings) {
        S3ExchangeFilter filter = settings.apply(S3ExchangeFilter.builder()
                        .credentials(AwsCredentials.of("access", "secret"))
                        .region("us-east-1"))
                .build();
        ClientRequest request = ClientRequest.create(HttpMethod.PUT, URI.create("http://127.0.0.1/bucket/key"))
                .header("Content-Length", "131072")
                .body(Flux.range(0, 128 * KIB / bufferSize).map(i -> ByteBuffer.allocate(bufferSize)), ByteBuffer.class)
                .build();
        Recorded recorded = new Recorded(request, factory);
        filter.filter(
                        request,
                        signed -> signed.writeTo(recorded, ExchangeStrategies.withDefaults())
                                .then(Mono.empty()))
                .block();
        return recorded.sizes;
    }

    /** A request of a connector with some factory. */
    private static final class Recorded extends AbstractClientHttpRequest {

        private final List<Integer> sizes = new ArrayList<>();
        private final ClientRequest request;
        private final DataBufferFactory factory;

        Recorded(ClientRequest request, DataBufferFactory factory) {
            this.request = request;
            this.factory = factory;
        }

        @Override
        public HttpMethod getMethod() {
            return request.method();
        }

        @Override
        public URI getURI() {
            return request.url();
        }

        @Override
        public DataBufferFactory bufferFactory() {
            return factory;
        }

        @Override
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as Spring has it
        public <T> T getNativeRequest() {
            return (T) this;
        }

        @Override
        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
            return doCommit(() -> Flux.from(body)
                    .doOnNext(piece -> sizes.add(piece.readableByteCount()))
                    .then());
        }

        @Override
        public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
            return writeWith(Flux.from(body).concatMap(group -> group));
        }

        @Override
        public Mono<Void> setComplete() {
            return doCommit();
        }

        @Override
        protected void applyHeaders() {}

        @Override
        protected void applyCookies() {}
    }
}
