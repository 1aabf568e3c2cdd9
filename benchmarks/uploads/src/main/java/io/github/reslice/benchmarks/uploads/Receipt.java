package io.github.reslice.benchmarks.uploads;

/** What the server saw of an upload; travels as the answer's ETag. {@code records} are those of TLS with application data. */
record Receipt(long length, String checksum, long records) {

    static Receipt parse(String eTag) {
        String[] parts = eTag.replace("\"", "").split("-");
        return new Receipt(Long.parseLong(parts[0]), parts[1], Long.parseLong(parts[2]));
    }

    boolean sameBody(Receipt other) {
        return length == other.length && checksum.equals(other.checksum);
    }

    @Override
    public String toString() {
        return "\"%d-%s-%d\"".formatted(length, checksum, records);
    }
}
