package io.github.reslice.checksum;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The CRC-64 of the NVM Express specification. */
final class Crc64Nvme extends RunningChecksum {

    private static final VarHandle ARRAY = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle BUFFER =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int LANE = 680;
    private static final long[] STEP = tableFor(8);
    private static final long[] SHIFT = tableFor(LANE);

    private long register = -1;

    private static long[] tableFor(int zeroBytes) {
        ReflectedPolynomial polynomial = ReflectedPolynomial.CRC64NVME;
        long factor = polynomial.zeroBytes(zeroBytes);
        long[] table = new long[8 * 256];
        for (int place = 0; place < 8; place++) {
            int row = place << 8;
            for (int value = 1; value < 256; value++) {
                int lowest = value & -value;
                table[row + value] = value == lowest
                        ? polynomial.multiply((long) value << (8 * place), factor)
                        : table[row + value - lowest] ^ table[row + lowest];
            }
        }
        return table;
    }

    @Override
    void add(byte[] bytes, int offset, int length) {
        long crc = register;
        int at = offset;
        int end = offset + length;
        for (; end - at >= 3 * LANE; at += 3 * LANE) {
            crc = lanes(bytes, at, crc);
        }
        for (; end - at >= 8; at += 8) {
            crc = times(STEP, crc ^ (long) ARRAY.get(bytes, at));
        }
        for (; at < end; at++) {
            crc = addByte(crc, bytes[at]);
        }
        register = crc;
    }

    private static long lanes(byte[] bytes, int from, long crc) {
        long first = crc;
        long second = 0;
        long third = 0;
        for (int at = from; at < from + LANE; at += 8) {
            first = times(STEP, first ^ (long) ARRAY.get(bytes, at));
            second = times(STEP, second ^ (long) ARRAY.get(bytes, at + LANE));
            third = times(STEP, third ^ (long) ARRAY.get(bytes, at + 2 * LANE));
        }
        return times(SHIFT, times(SHIFT, first) ^ second) ^ third;
    }

    @Override
    void add(ByteBuffer buffer, int position, int length) {
        long crc = register;
        int at = position;
        int end = position + length;
        for (; end - at >= 3 * LANE; at += 3 * LANE) {
            crc = lanes(buffer, at, crc);
        }
        for (; end - at >= 8; at += 8) {
            crc = times(STEP, crc ^ (long) BUFFER.get(buffer, at));
        }
        for (; at < end; at++) {
            crc = addByte(crc, buffer.get(at));
        }
        register = crc;
    }

    private static long lanes(ByteBuffer buffer, int from, long crc) {
        long first = crc;
        long second = 0;
        long third = 0;
        for (int at = from; at < from + LANE; at += 8) {
            first = times(STEP, first ^ (long) BUFFER.get(buffer, at));
            second = times(STEP, second ^ (long) BUFFER.get(buffer, at + LANE));
            third = times(STEP, third ^ (long) BUFFER.get(buffer, at + 2 * LANE));
        }
        return times(SHIFT, times(SHIFT, first) ^ second) ^ third;
    }

    private static long times(long[] table, long crc) {
        return table[(int) crc & 0xff]
                ^ table[0x100 + ((int) (crc >>> 8) & 0xff)]
                ^ table[0x200 + ((int) (crc >>> 16) & 0xff)]
                ^ table[0x300 + ((int) (crc >>> 24) & 0xff)]
                ^ table[0x400 + ((int) (crc >>> 32) & 0xff)]
                ^ table[0x500 + ((int) (crc >>> 40) & 0xff)]
                ^ table[0x600 + ((int) (crc >>> 48) & 0xff)]
                ^ table[0x700 + (int) (crc >>> 56)];
    }

    private static long addByte(long crc, byte value) {
        return crc >>> 8 ^ STEP[0x700 + (((int) crc ^ value) & 0xff)];
    }

    @Override
    byte[] end() {
        return ByteBuffer.allocate(Long.BYTES).putLong(~register).array();
    }
}
