package io.github.reslice.sigv4;

/**
 * What a signing key is good for: one day, one region, one service.
 *
 * @param date the day in UTC, {@code 20130524}
 */
record Scope(String date, String region, String service) {

    static final String TERMINATOR = "aws4_request";

    /** A region or a service that would not break the scope up. */
    static String checkPart(String what, String value) {
        if (!value.matches("[A-Za-z0-9._-]+")) {
            throw new IllegalArgumentException(
                    what + " '" + value + "': one or more of letters, digits, '-', '_' and '.' are wanted");
        }
        return value;
    }

    /** As it stands in the string to sign and in the Authorization header. */
    @Override
    public String toString() {
        return date + "/" + region + "/" + service + "/" + TERMINATOR;
    }
}
