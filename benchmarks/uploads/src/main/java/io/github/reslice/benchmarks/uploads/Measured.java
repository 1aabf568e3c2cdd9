package io.github.reslice.benchmarks.uploads;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What each contender took in each round, and what the library itself allocates in an upload, where it is in it. */
record Measured(Map<Contender, List<Cost>> rounds, Map<Contender, Long> ownBytes) {

    boolean has(Contender contender) {
        return rounds.containsKey(contender);
    }

    Cost median(Contender contender) {
        return Cost.median(rounds.get(contender));
    }

    Records records(Contender contender) {
        return Records.of(rounds.get(contender));
    }

    /** The median of the rounds' ratios. */
    double ratio(Contender contender, Contender to, ToDoubleFunction<Cost> part) {
        List<Cost> own = rounds.get(contender);
        List<Cost> other = rounds.get(to);
        double[] ratios = new double[own.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = part.applyAsDouble(own.get(i)) / part.applyAsDouble(other.get(i));
        }
        return Cost.median(ratios);
    }
}
