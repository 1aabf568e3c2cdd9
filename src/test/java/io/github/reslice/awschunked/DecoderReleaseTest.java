package io.github.reslice.awschunked;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.sigv4.ChunkSignatures;
import io.github.reslice.sigv4.SignedHeaders;
import io.github.reslice.stage.Stage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every pooled buffer is handed on, discarded or released exactly once, wherever a body stops or goes wrong. The pool
 * refuses a second release, so nothing live at the end means exactly once.
 */
class DecoderReleaseTest {

    private static final int CHUNK = 3_000;
    private static final String CRC32 = "x-amz-checksum-crc32";
    private static final Limits LIMITS = new Limits(CHUNK, 1 << 20, 1024, 16, 8192);
    private static final byte[] PAYLOAD = payload();
    private static final SignedHeaders SEED = Client.seed(Mode.SIGNED_WITH_TRAILER, PAYLOAD.length, CRC32);

    /** A body, and what reads it. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares examples
    private record Example(String name, byte[] wire, Function<Pool, Stage<Pool.Buffer, Pool.Buffer>> decoder) {

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Example> bodies() {
        String trailer = CRC32 + ":" + PlainDecoder.checksum(CRC32, PAYLOAD);
        byte[] unsignedBody = Client.body(PAYLOAD, CHUNK, trailer);
        byte[] signedBody = Client.signedBody(SEED, PAYLOAD, CHUNK, trailer);
        Announced announced = new Announced(null, (long) PAYLOAD.length, new TreeSet<>(List.of(CRC32)));
        Announced inSeed = Announced.in(SEED.headers());
        return Stream.of(
                new Example("unsigned", unsignedBody, pool -> Decoder.unsigned(announced, LIMITS, pool)),
                new Example(
                        "signed",
                        signedBody,
                        pool -> Decoder.signed(inSeed, LIMITS, pool, ChunkSignatures.following(SEED))),
                new Example(
                        "signed, held",
                        signedBody,
                        pool -> Decoder.holdingChunks(inSeed, LIMITS, pool, ChunkSignatures.following(SEED))));
    }

    private static byte[] payload() {
        byte[] payload = new byte[10_000];
        new Random(3).nextBytes(payload);
        return payload;
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void releasesAllOnSuccess(Example body) {
        for (int seed = 0; seed < 50; seed++) {
            assertThat(transfer(body, body.wire, seed, Integer.MAX_VALUE).run())
                    .as("seed %s", seed)
                    .isEqualTo("completed");
        }
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void releasesAllWhenCancelledAfterAnyPiece(Example body) {
        int pieces = 0;
        String end;
        do {
            end = transfer(body, body.wire, 7, pieces++).run();
        } while (end.equals("cancelled"));
        assertThat(end).isEqualTo("completed");
        assertThat(pieces).isGreaterThan(4);
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void releasesAllWhenTheSourceFailsAfterAnyBuffer(Example body) {
        for (int buffers = 0; buffers < 8; buffers++) {
            assertThat(transfer(body, body.wire, 9, Integer.MAX_VALUE).runFailingAfter(buffers))
                    .isEqualTo("the source failed");
        }
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void releasesAllWhenTheBodyIsWrongAnywhere(Example body) {
        for (int at = 0; at < body.wire.length; at += 13) {
            byte[] wrong = body.wire.clone();
            wrong[at] ^= (byte) 0x80;
            assertThat(transfer(body, wrong, at, Integer.MAX_VALUE).run())
                    .as("byte %s", at)
                    .contains("of the encoded body");
        }
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void releasesAllWhenTheBodyEndsAnywhere(Example body) {
        for (int length = 0; length < body.wire.length; length += 101) {
            byte[] cut = Arrays.copyOf(body.wire, length);
            assertThat(transfer(body, cut, length, Integer.MAX_VALUE).run())
                    .as("length %s", length)
                    .contains("IncompleteBody");
        }
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void releasesAPieceThatNobodyReceived(Example body) {
        int stop = 1;
        while (!stopsWithAnUnsentPiece(body, stop)) {
            stop++;
        }
        assertThat(stop).isGreaterThan(4);
    }

    private static boolean stopsWithAnUnsentPiece(Example body, int stop) {
        Pool pool = new Pool();
        Stage<Pool.Buffer, Pool.Buffer> stage = body.decoder.apply(pool);
        Deque<Pool.Buffer> input = buffers(pool, body.wire, new Random(11));
        int pieces = 0;
        while (pieces < stop) {
            Pool.Buffer piece = stage.poll();
            if (piece == null && input.isEmpty()) {
                break;
            } else if (piece == null) {
                stage.feed(input.remove());
            } else if (++pieces == stop) {
                stage.discardUnsent(piece, held -> pool.release((Pool.Buffer) held));
            } else {
                pool.release(piece);
            }
        }
        stage.discard(held -> pool.release((Pool.Buffer) held));
        input.forEach(pool::release);
        assertThat(pool.live()).as("stopped at piece %s", stop).isEmpty();
        return pieces < stop;
    }

    private static PooledTransfer transfer(Example body, byte[] wire, long seed, int piecesWanted) {
        return new PooledTransfer(body.decoder, pool -> buffers(pool, wire, new Random(seed)), piecesWanted);
    }

    private static Deque<Pool.Buffer> buffers(Pool pool, byte[] wire, Random random) {
        List<Pool.Buffer> buffers = new ArrayList<>();
        for (int from = 0; from < wire.length; ) {
            int size =
                    Math.min(wire.length - from, random.nextInt(3) == 0 ? random.nextInt(60) : random.nextInt(2_000));
            buffers.add(pool.allocate(wire, from, size, size + random.nextInt(500)));
            from += size;
        }
        return new ArrayDeque<>(buffers);
    }
}
