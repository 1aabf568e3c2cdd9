package io.github.reslice.checksum;

import java.nio.ByteBuffer;
import java.util.zip.Checksum;

/** A 32-bit CRC of the JDK, which computes it with the processor's instructions. */
final class ZipChecksum extends RunningChecksum {

    private final Checksum crc;

    ZipChecksum(Checksum crc) {
        this.crc = crc;
    }

    @Override
    void add(byte[] bytes, int offset, int length) {
        crc.update(bytes, offset, length);
    }

    @Override
    void add(ByteBuffer buffer, int position, int length) {
        if (buffer.isDirect()) {
            // the JDK moves the position of what it reads
            addDirect(view(buffer, position, length));
        } else {
            // of a read-only buffer the JDK makes a new copy at every call
            super.add(buffer, position, length);
        }
    }

    @Override
    void addDirect(ByteBuffer own) {
        crc.update(own);
    }

    @Override
    byte[] end() {
        return ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array();
    }
}
