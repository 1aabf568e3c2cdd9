package io.github.reslice.benchmarks.uploads;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program of this build in a process of its own, which takes and gives lines, and ends with its parent. */
final class Child implements AutoCloseable {

    private final Process process;
    private final PrintStream toIt;
    private final BufferedReader fromIt;

    private Child(Process process) {
        this.process = process;
        toIt = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        fromIt = process.inputReader(StandardCharsets.UTF_8);
    }

    static Child start(Class<?> program, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:-UseDynamicNumberOfCompilerThreads", // a thread that ends takes its CPU time with it
                "-XX:-UseDynamicNumberOfGCThreads",
                "-classpath",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(args));
        return new Child(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    String ask(String line) throws IOException {
        toIt.println(line);
        return answer();
    }

    String answer() throws IOException {
        String line = fromIt.readLine();
        if (line == null) {
            throw new IOException("A process has ended: " + process.info().commandLine());
        }
        return line;
    }

    @Override
    public void close() {
        process.destroy();
    }

    /** In the child: a line for the parent. */
    static void answer(String line) {
        System.out.println(line);
    }

    /** In the child: the parent's lines. */
    static BufferedReader questions() {
        return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    }

    /** In the child: waits until the parent has gone. */
    static void untilClosed() throws IOException {
        while (System.in.read() >= 0) {}
    }
}
