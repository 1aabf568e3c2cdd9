package io.github.reslice.benchmarks;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the benchmarks and checks their numbers against the bars; ends with 1 if one is missed.
 *
 * <p>Rounds, each with one new JVM for every benchmark, stand in for JMH's forks: what is compared is then measured within
 * the same minute, whatever else the machine does.
 */
public final class Numbers {

    private Numbers() {}

    /** How long to measure, and the part of a speed's bar below which the run fails. */
    private enum Form {
        QUICK(2, 2, 3, TimeValue.milliseconds(400), 0.6),
        FULL(5, 3, 5, TimeValue.seconds(1), 1);

        final int rounds;
        final int warmups;
        final int iterations;
        final TimeValue iteration;
        final double slack;

        Form(int rounds, int warmups, int iterations, TimeValue iteration, double slack) {
            this.rounds = rounds;
            this.warmups = warmups;
            this.iterations = iterations;
            this.iteration = iteration;
            this.slack = slack;
        }
    }

    /**
     * Measures and checks.
     *
     * @param args the form, {@code quick} or {@code full}, and the directory for JMH's results
     * @throws RunnerException if a benchmark fails
     */
    public static void main(String[] args) throws RunnerException {
        Form form = Form.valueOf(args[0].toUpperCase(Locale.ROOT));
        List<Round> rounds = new ArrayList<>();
        for (int i = 1; i <= form.rounds; i++) {
            System.out.printf("Round %d of %d%n", i, form.rounds);
            rounds.add(new Round(run(form, new File(args[1], "round-" + i + ".json"))));
        }
        Report report = new Report(rounds, form.slack);
        report.print();
        System.exit(report.failed() ? 1 : 0);
    }

    private static Iterable<RunResult> run(Form form, File json) throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include(Numbers.class.getPackageName() + ".*")
                        .forks(1)
                        // memory that is touched for the first time costs a page fault, which is none of the encoder's
                        // business
                        .jvmArgs("-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch", "-XX:+UseG1GC")
                        .warmupIterations(form.warmups)
                        .warmupTime(form.iteration)
                        .measurementIterations(form.iterations)
                        .measurementTime(form.iteration)
                        .addProfiler(CpuTime.class)
                        .addProfiler(GCProfiler.class)
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .resultFormat(ResultFormatType.JSON)
                        .result(json.getPath())
                        .build())
                .run();
    }
}
