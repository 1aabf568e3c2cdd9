package io.github.reslice.blocking;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In JVMs of their own, since BlockHound needs an option, and stays once it is there. */
class NothingBlocksTest {

    @Test
    void nothingBlocks() throws Exception {
        String output = watched();

        assertThat(lines(output)).as(output).containsExactlyElementsOf(everyWorkWith(0));
    }

    /** Each sort of work has {@link SleepingStage} on the thread that must not block. */
    @Test
    void aStageThatBlocksIsSeen() throws Exception {
        String output = watched("sleeping");

        assertThat(lines(output))
                .as(output)
                .hasSize(Work.values().length)
                .doesNotContainAnyElementsOf(everyWorkWith(0));
        assertThat(output.split("java.lang.Throwable: java.lang.Thread.sleep", -1))
                .as(output)
                .hasSize(Work.values().length + 1);
    }

    private static List<String> everyWorkWith(int calls) {
        return Arrays.stream(Work.values())
                .map(work -> work + ": " + calls + " calls blocked")
                .toList();
    }

    private static List<String> lines(String output) {
        return output.lines().filter(line -> line.endsWith(" calls blocked")).toList();
    }

    private static String watched(String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+AllowRedefinitionToAddDeleteMethods",
                "-XX:+EnableDynamicAgentLoading",
                "-classpath",
                System.getProperty("java.class.path"),
                Watched.class.getName()));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
