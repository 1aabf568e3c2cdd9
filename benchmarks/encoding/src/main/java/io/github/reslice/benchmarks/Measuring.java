package io.github.reslice.benchmarks;

import io.github.reslice.checksum.ChecksumAlgorithm;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Measures by JMH. */
final class Measuring {

    private final Form form;
    private final Results results;

    Measuring(Form form, Results results) {
        this.form = form;
        this.results = results;
    }

    Measured measure(Pair pair) {
        OptionsBuilder options = new OptionsBuilder();
        options.include(PairBenchmark.class.getName())
                .param("contender", pair.contender().name())
                .param("beside", pair.beside().name())
                .param("demand", pair.demand().name())
                .param("memory", pair.memory().name())
                .param("length", Long.toString(pair.length()))
                .param("bufferSize", Integer.toString(pair.bufferSize()))
                .param("chunkSize", Integer.toString(pair.chunkSize()))
                .param("straddling", Boolean.toString(pair.straddling()))
                .param("distinct", Integer.toString(pair.distinct()))
                .param("uploads", Integer.toString(pair.uploads()))
                // memory that is touched for the first time costs a page fault, which is none of the encoder's business
                .jvmArgs("-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch", "-XX:+UseG1GC");
        Measured measured = measure(options);
        results.add(pair, measured);
        return measured;
    }

    Measured measure(ChecksumAlgorithm algorithm, ChecksumBenchmark.Holding holding, boolean inNativeCode) {
        OptionsBuilder options = new OptionsBuilder();
        options.include(ChecksumBenchmark.class.getName())
                .param("algorithm", algorithm.name())
                .param("holding", holding.name())
                .param("inNativeCode", Boolean.toString(inNativeCode))
                .jvmArgs("-Xms128m", "-Xmx128m", "-XX:+UseG1GC");
        return measure(options);
    }

    private Measured measure(OptionsBuilder options) {
        options.forks(form.jvms)
                .warmupIterations(form.warmups)
                .warmupTime(form.iteration)
                .measurementIterations(form.iterations)
                .measurementTime(form.iteration)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        try {
            RunResult result = new Runner(options.build()).runSingle();
            results.add(result);
            return Measured.of(result);
        } catch (RunnerException e) {
            throw new IllegalStateException("Could not measure", e);
        }
    }
}
