package io.github.reslice;

/** How much the tests with many cases do: {@code -Dreslice.effort=quick}, the default, or {@code full}. */
public final class Effort {

    private static final String PROPERTY = "reslice.effort";

    private Effort() {}

    public static int cases(int quick, int full) {
        return isFull() ? full : quick;
    }

    private static boolean isFull() {
        String effort = System.getProperty(PROPERTY, "quick");
        return switch (effort) {
            case "quick" -> false;
            case "full" -> true;
            default -> throw new IllegalArgumentException(PROPERTY + " must be quick or full, was " + effort);
        };
    }
}
