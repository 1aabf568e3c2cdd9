package io.github.reslice.checksum;

/** Whether the optional library behind {@link XxHash} is there. */
final class Hash4j {

    /** What to add to a build. */
    static final String COORDINATES = "com.dynatrace.hash4j:hash4j:0.31.0";

    private static final boolean THERE = find();

    private Hash4j() {}

    static boolean isThere() {
        return THERE;
    }

    private static boolean find() {
        try {
            Class<?> unused =
                    Class.forName("com.dynatrace.hash4j.hashing.HashStream128", false, Hash4j.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
