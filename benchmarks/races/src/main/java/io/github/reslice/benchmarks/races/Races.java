package io.github.reslice.benchmarks.races;

import java.util.List;
import java.util.stream.Stream;
import org.openjdk.jcstress.Main;

/** Runs jcstress over this package, a quick form or a full one. Its results are written where it is run. */
final class Races {

    /** Naming options for the JVM keeps jcstress from trying every race with eight sets of its own. */
    private static final List<String> QUICK =
            List.of("-time", "150", "-iters", "3", "-f", "1", "-fsm", "1", "-sc", "false", "-jvmArgs", "-Xmx256m");

    private static final List<String> FULL = List.of("-time", "500", "-iters", "5", "-f", "1", "-fsm", "2");

    private Races() {}

    public static void main(String[] args) throws Exception {
        List<String> options = switch (args[0]) {
            case "quick" -> QUICK;
            case "full" -> FULL;
            default -> throw new IllegalArgumentException("The form must be quick or full, was " + args[0]);
        };
        Main.main(Stream.concat(options.stream(), Stream.of("-t", args[1])).toArray(String[]::new));
    }
}
