package io.github.reslice.benchmarks.uploads;

import java.util.List;
import java.util.Locale;

/**
 * The fewest TLS records that one of the rounds made, and the most. How many pieces Netty joins hangs on how fast the socket
 * takes them, so that the same body differs by half from round to round, and a median says nothing.
 */
record Records(double fewest, double most) {

    static Records of(List<Cost> costs) {
        return new Records(
                costs.stream().mapToDouble(Cost::records).min().orElseThrow(),
                costs.stream().mapToDouble(Cost::records).max().orElseThrow());
    }

    boolean areTheSameInEachRound() {
        return fewest == most;
    }

    @Override
    public String toString() {
        return areTheSameInEachRound()
                ? String.format(Locale.ROOT, "%,.0f", most)
                : String.format(Locale.ROOT, "%,.0f to %,.0f", fewest, most);
    }
}
