package io.github.reslice.benchmarks.uploads;

import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

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
        return medianOfRounds(round -> part(contender, round, part) / part(to, round, part));
    }

    /** The same, of what a contender takes beyond another one. */
    double ratioWithout(Contender without, Contender contender, Contender to, ToDoubleFunction<Cost> part) {
        return medianOfRounds(
                round -> (part(contender, round, part) - part(without, round, part)) / part(to, round, part));
    }

    private double medianOfRounds(IntToDoubleFunction ratio) {
        int count = rounds.values().iterator().next().size();
        return Cost.median(IntStream.range(0, count).mapToDouble(ratio).toArray());
    }

    private double part(Contender contender, int round, ToDoubleFunction<Cost> part) {
        return part.applyAsDouble(rounds.get(contender).get(round));
    }
}
