package io.github.reslice.checksum;

import com.dynatrace.hash4j.hashing.HashStream128;
import com.dynatrace.hash4j.hashing.HashStream64;
import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;

/** The xxHash family, with the seed 0, by hash4j: the only class that names it. */
final class XxHash extends RunningChecksum {

    private final HashStream64 stream;

    private XxHash(HashStream64 stream) {
        this.stream = stream;
    }

    static RunningChecksum xxh64() {
        return new XxHash(Hashing.xxh64().hashStream());
    }

    static RunningChecksum xxh3() {
        return new XxHash(Hashing.xxh3_64().hashStream());
    }

    static RunningChecksum xxh128() {
        return new XxHash(Hashing.xxh3_128().hashStream());
    }

    @Override
    void add(byte[] bytes, int offset, int length) {
        stream.putBytes(bytes, offset, length);
    }

    @Override
    byte[] end() {
        if (stream instanceof HashStream128 stream128) {
            HashValue128 value = stream128.get();
            return ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(value.getMostSignificantBits())
                    .putLong(value.getLeastSignificantBits())
                    .array();
        }
        return ByteBuffer.allocate(Long.BYTES).putLong(stream.getAsLong()).array();
    }
}
