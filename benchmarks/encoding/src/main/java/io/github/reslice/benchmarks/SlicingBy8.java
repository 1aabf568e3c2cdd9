package io.github.reslice.benchmarks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** CRC64NVME, eight bytes at a time through eight tables: what the library's own is measured against. */
final class SlicingBy8 {

    private static final long POLYNOMIAL = 0x9a6c9329ac4bc9b5L;
    private static final long[][] TABLES = tables();
    private static final long[] T0 = TABLES[0];
    private static final long[] T1 = TABLES[1];
    private static final long[] T2 = TABLES[2];
    private static final long[] T3 = TABLES[3];
    private static final long[] T4 = TABLES[4];
    private static final long[] T5 = TABLES[5];
    private static final long[] T6 = TABLES[6];
    private static final long[] T7 = TABLES[7];
    private static final VarHandle ARRAY = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle BUFFER =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private long register = -1;

    private static long[][] tables() {
        long[][] tables = new long[8][256];
        for (int value = 0; value < 256; value++) {
            long crc = value;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ POLYNOMIAL;
            }
            tables[0][value] = crc;
        }
        for (int table = 1; table < 8; table++) {
            for (int value = 0; value < 256; value++) {
                long crc = tables[table - 1][value];
                tables[table][value] = crc >>> 8 ^ tables[0][(int) crc & 0xff];
            }
        }
        return tables;
    }

    void update(ByteBuffer buffer) {
        if (buffer.hasArray()) {
            update(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
        } else {
            long crc = register;
            int at = buffer.position();
            for (; buffer.limit() - at >= 8; at += 8) {
                crc = step(crc ^ (long) BUFFER.get(buffer, at));
            }
            for (; at < buffer.limit(); at++) {
                crc = crc >>> 8 ^ T0[((int) crc ^ buffer.get(at)) & 0xff];
            }
            register = crc;
        }
    }

    private void update(byte[] bytes, int offset, int length) {
        long crc = register;
        int at = offset;
        for (; offset + length - at >= 8; at += 8) {
            crc = step(crc ^ (long) ARRAY.get(bytes, at));
        }
        for (; at < offset + length; at++) {
            crc = crc >>> 8 ^ T0[((int) crc ^ bytes[at]) & 0xff];
        }
        register = crc;
    }

    private static long step(long crc) {
        return T7[(int) crc & 0xff]
                ^ T6[(int) (crc >>> 8) & 0xff]
                ^ T5[(int) (crc >>> 16) & 0xff]
                ^ T4[(int) (crc >>> 24) & 0xff]
                ^ T3[(int) (crc >>> 32) & 0xff]
                ^ T2[(int) (crc >>> 40) & 0xff]
                ^ T1[(int) (crc >>> 48) & 0xff]
                ^ T0[(int) (crc >>> 56)];
    }

    long value() {
        return ~register;
    }
}
