package io.github.reslice.blocking;

import io.github.reslice.AwsChunked;
import io.github.reslice.AwsChunkedDecoder;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.sigv4.SigV4;
import io.github.reslice.sigv4.SignedHeaders;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import software.amazon.awssdk.core.async.AsyncRequestBody;

/** What is done on threads that must not block: Reactor's own, and the event loops of the two clients. */
enum Work {
    ENCODE {
        @Override
        void run(UnaryOperator<Flux<ByteBuffer>> before, ChecksumAlgorithm checksum) {
            AwsChunked chunked = chunked(checksum);
            onParallel(body().transform(before).transform(chunked.encode(LENGTH)));
            onParallel(body().transform(before).transform(chunked.encode()));
        }
    },
    SIGN {
        @Override
        void run(UnaryOperator<Flux<ByteBuffer>> before, ChecksumAlgorithm checksum) {
            AwsChunked.Signed signed = chunked(checksum).signed();
            onParallel(Flux.defer(() -> body().transform(before).transform(signed.encode(LENGTH, seed(signed)))));
        }
    },
    DECODE {
        @Override
        void run(UnaryOperator<Flux<ByteBuffer>> before, ChecksumAlgorithm checksum) {
            AwsChunked.Signed signed = chunked(checksum).signed();
            SignedHeaders seed = seed(signed);
            AwsChunkedDecoder decoder = AwsChunkedDecoder.builder()
                    .decodedLength(LENGTH)
                    .trailer(checksum.headerName())
                    .build();
            Flux<ByteBuffer> wire = body().transform(signed.encode(LENGTH, seed));
            onParallel(wire.transform(before).transform(decoder.decode(seed)));
        }
    },
    WEB_CLIENT {
        @Override
        void run(UnaryOperator<Flux<ByteBuffer>> before, ChecksumAlgorithm checksum) {
            AwsChunked chunked = chunked(checksum);
            for (WebClient s3 : List.of(Clients.webClient(chunked), Clients.webClient(chunked.signed()))) {
                onParallel(Flux.defer(() -> s3.put()
                        .uri("/bucket/key")
                        .contentLength(LENGTH)
                        .body(body().transform(before), ByteBuffer.class)
                        .retrieve()
                        .toBodilessEntity()));
            }
        }
    },
    AWS_SDK {
        @Override
        void run(UnaryOperator<Flux<ByteBuffer>> before, ChecksumAlgorithm checksum) {
            onParallel(Flux.defer(() -> Mono.fromFuture(Clients.SDK.putObject(
                    put -> put.bucket("bucket").key("key").contentLength(LENGTH),
                    AsyncRequestBody.fromPublisher(body().transform(before))))));
        }
    };

    private static final int BUFFERS = 20;
    private static final int BUFFER_SIZE = 10_000;
    private static final long LENGTH = (long) BUFFERS * BUFFER_SIZE;
    private static final byte[] CONTENT = content();

    /** Does it over a source with something behind it, and waits for the end. */
    abstract void run(UnaryOperator<Flux<ByteBuffer>> before, ChecksumAlgorithm checksum);

    private static byte[] content() {
        byte[] content = new byte[BUFFER_SIZE];
        new Random(7).nextBytes(content);
        return content;
    }

    private static Flux<ByteBuffer> body() {
        return Flux.fromStream(
                () -> Stream.generate(() -> ByteBuffer.wrap(CONTENT)).limit(BUFFERS));
    }

    private static AwsChunked chunked(ChecksumAlgorithm checksum) {
        return AwsChunked.builder().chunkSize(16 * 1024).checksum(checksum).build();
    }

    private static SignedHeaders seed(AwsChunked.Signed signed) {
        return SigV4.builder()
                .region("us-east-1")
                .service("s3")
                .build()
                .sign(
                        "PUT",
                        URI.create("http://127.0.0.1/bucket/key"),
                        signed.headers(LENGTH),
                        AwsCredentials.of("access", "secret"));
    }

    private static void onParallel(Flux<?> flux) {
        flux.subscribeOn(Schedulers.parallel()).blockLast();
    }
}
