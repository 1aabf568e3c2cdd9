package io.github.reslice.awschunked;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.stage.Stage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every pooled buffer is handed on, discarded or released exactly once, wherever a body stops. The pool refuses a second
 * release, so nothing live at the end means exactly once.
 */
class PooledReleaseTest {

    private static final int KIB = 1024;
    private static final int[] SIZES = {3 * KIB, 10, 0, 900, 5 * KIB, 20 * KIB, 1, 8 * KIB, 2 * KIB, 7};
    private static final long LENGTH = Arrays.stream(SIZES).sum();
    private static final Layout LAYOUT = new Layout(8 * KIB, ChecksumAlgorithm.CRC32, List.of());
    private static final Layout BROKEN = new Layout(8 * KIB, null, List.of(new Trailer("x-note", 3, () -> "four")));

    /** What writes a body, and whether it knows its length. */
    enum Encoder implements Function<Pool, Stage<Pool.Buffer, Pool.Buffer>> {
        KNOWN_LENGTH {
            @Override
            Stage<Pool.Buffer, Pool.Buffer> declaring(long length, Layout layout, Pool pool) {
                return new KnownLengthEncoder<>(layout, pool, length);
            }
        },
        UNKNOWN_LENGTH {
            @Override
            Stage<Pool.Buffer, Pool.Buffer> declaring(long length, Layout layout, Pool pool) {
                return new UnknownLengthEncoder<>(layout, pool);
            }
        },
        SIGNED {
            @Override
            Stage<Pool.Buffer, Pool.Buffer> declaring(long length, Layout layout, Pool pool) {
                return new SignedEncoder<>(new SignedLayout(layout), pool, Seed.any(), length);
            }
        },
        SIGNED_OF_UNKNOWN_LENGTH {
            @Override
            Stage<Pool.Buffer, Pool.Buffer> declaring(long length, Layout layout, Pool pool) {
                return new SignedEncoder<>(new SignedLayout(layout), pool, Seed.any());
            }
        };

        /** The length that counts, if this encoder takes one. */
        abstract Stage<Pool.Buffer, Pool.Buffer> declaring(long length, Layout layout, Pool pool);

        @Override
        public Stage<Pool.Buffer, Pool.Buffer> apply(Pool pool) {
            return declaring(LENGTH, LAYOUT, pool);
        }
    }

    @ParameterizedTest
    @EnumSource
    void releasesAllOnSuccess(Encoder encoder) {
        assertThat(transfer(encoder, Integer.MAX_VALUE).run()).isEqualTo("completed");
    }

    @ParameterizedTest
    @EnumSource
    void releasesAllWhenCancelledAfterAnyPiece(Encoder encoder) {
        assertReleasesWhenCancelledAnywhere(encoder);
    }

    @ParameterizedTest
    @EnumSource
    void releasesAllWhenTheSourceFailsAtAnyBuffer(Encoder encoder) {
        assertReleasesWhenTheSourceFailsAnywhere(encoder);
    }

    @ParameterizedTest
    @EnumSource(names = {"KNOWN_LENGTH", "SIGNED"})
    void releasesAllWhenTheBodyGetsTooLongAtAnyByte(Encoder encoder) {
        for (long declared = 0; declared < LENGTH; declared += 101) {
            long length = declared;
            assertThat(transfer(pool -> encoder.declaring(length, LAYOUT, pool), Integer.MAX_VALUE)
                            .run())
                    .startsWith("The body is longer than declared");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"KNOWN_LENGTH", "SIGNED"})
    void releasesAllWhenTheBodyIsTooShort(Encoder encoder) {
        assertThat(transfer(pool -> encoder.declaring(LENGTH + 1, LAYOUT, pool), Integer.MAX_VALUE)
                        .run())
                .startsWith("The body is shorter than declared");
    }

    @ParameterizedTest
    @EnumSource
    void releasesAllWhenATrailerFails(Encoder encoder) {
        assertThat(transfer(pool -> encoder.declaring(LENGTH, BROKEN, pool), Integer.MAX_VALUE)
                        .run())
                .startsWith("The value of trailer x-note");
    }

    @ParameterizedTest
    @EnumSource
    void releasesAPiecePolledAheadAtAnyPoint(Encoder encoder) {
        assertReleasesAnUnsentPieceAnywhere(encoder);
    }

    private static void assertReleasesWhenCancelledAnywhere(Function<Pool, Stage<Pool.Buffer, Pool.Buffer>> encoder) {
        int pieces = 0;
        String end;
        do {
            end = transfer(encoder, pieces++).run();
        } while (end.equals("cancelled"));
        assertThat(end).isEqualTo("completed");
        assertThat(pieces).isGreaterThan(15);
    }

    private static void assertReleasesWhenTheSourceFailsAnywhere(
            Function<Pool, Stage<Pool.Buffer, Pool.Buffer>> encoder) {
        for (int buffers = 0; buffers < SIZES.length; buffers++) {
            assertThat(transfer(encoder, Integer.MAX_VALUE).runFailingAfter(buffers))
                    .isEqualTo("the source failed");
        }
    }

    /** By hand: stops after every number of pieces, with the last one not received. */
    private static void assertReleasesAnUnsentPieceAnywhere(Function<Pool, Stage<Pool.Buffer, Pool.Buffer>> encoder) {
        int stop = 1;
        while (!stopsWithAnUnsentPiece(encoder, stop)) {
            stop++;
        }
        assertThat(stop).isGreaterThan(15);
    }

    private static boolean stopsWithAnUnsentPiece(Function<Pool, Stage<Pool.Buffer, Pool.Buffer>> encoder, int stop) {
        Pool pool = new Pool();
        Stage<Pool.Buffer, Pool.Buffer> stage = encoder.apply(pool);
        List<Pool.Buffer> input = buffers(pool);
        int pieces = 0;
        boolean ended = false;
        while (true) {
            Pool.Buffer piece = stage.poll();
            if (piece != null) {
                if (++pieces == stop) {
                    stage.discardUnsent(piece, held -> pool.release((Pool.Buffer) held));
                    break;
                }
                pool.release(piece);
            } else if (!input.isEmpty()) {
                stage.feed(input.remove(0));
            } else if (!ended) {
                ended = true;
                stage.end();
            } else {
                break;
            }
        }
        stage.discard(held -> pool.release((Pool.Buffer) held));
        input.forEach(pool::release);
        assertThat(pool.live()).as("stopped at piece %s", stop).isEmpty();
        return pieces < stop;
    }

    private static PooledTransfer transfer(Function<Pool, Stage<Pool.Buffer, Pool.Buffer>> encoder, int piecesWanted) {
        return new PooledTransfer(encoder, PooledReleaseTest::buffers, piecesWanted);
    }

    private static List<Pool.Buffer> buffers(Pool pool) {
        List<Pool.Buffer> buffers = new ArrayList<>();
        for (int size : SIZES) {
            buffers.add(pool.allocate(new byte[size], 0, size, size + 100));
        }
        return buffers;
    }
}
