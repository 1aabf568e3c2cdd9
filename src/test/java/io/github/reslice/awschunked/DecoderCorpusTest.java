package io.github.reslice.awschunked;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.Effort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The inputs that {@link DecoderFuzzTest} starts from and those with which it once failed, without the fuzzer. */
class DecoderCorpusTest {

    private static final List<Path> CORPUS = corpus();

    static List<Path> corpus() {
        URL folder = Objects.requireNonNull(DecoderCorpusTest.class.getResource("DecoderFuzzTestInputs/decodes"));
        try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void holdsForAnInputOfTheCorpus(Path file) throws IOException {
        DecoderCheck.check(Files.readAllBytes(file));
    }

    @Test
    void holdsForRandomChangesOfTheCorpus() throws IOException {
        for (int seed = 0; seed < Effort.cases(5_000, 200_000); seed++) {
            byte[] input = changed(new Random(seed));
            try {
                DecoderCheck.check(input);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        "seed " + seed + ", input " + HexFormat.of().formatHex(input), e);
            }
        }
    }

    private static byte[] changed(Random random) throws IOException {
        byte[] input = Files.readAllBytes(CORPUS.get(random.nextInt(CORPUS.size())));
        for (int changes = 1 + random.nextInt(4); changes > 0 && input.length > 0; changes--) {
            int at = random.nextInt(input.length);
            switch (random.nextInt(4)) {
                case 0 -> input[at] = (byte) random.nextInt();
                case 1 -> input[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> input = joined(Arrays.copyOf(input, at), Arrays.copyOfRange(input, at + 1, input.length));
                default -> input = joined(Arrays.copyOf(input, at + 1), Arrays.copyOfRange(input, at, input.length));
            }
        }
        return input;
    }

    private static byte[] joined(byte[] front, byte[] back) {
        byte[] joined = Arrays.copyOf(front, front.length + back.length);
        System.arraycopy(back, 0, joined, front.length, back.length);
        return joined;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void theCorpusHasBodiesToTakeAndToRefuseInEveryMode(Mode mode) throws IOException {
        Set<Boolean> taken = new HashSet<>();
        for (Path file : CORPUS) {
            DecoderCase body = new DecoderCase(Files.readAllBytes(file));
            if (body.mode() == mode) {
                taken.add(body.expected().refusal() == null);
            }
        }
        assertThat(taken).containsExactlyInAnyOrder(true, false);
    }
}
