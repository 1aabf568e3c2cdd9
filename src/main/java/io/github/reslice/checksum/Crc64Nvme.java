package io.github.reslice.checksum;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * The CRC-64 of the NVM Express specification, in plain Java.
 *
 * <p>A CRC is the remainder of the message, read as a polynomial with coefficients 0 and 1, modulo a polynomial P. This
 * one is reflected (see {@link ReflectedPolynomial}) and starts and ends with all bits inverted. The register holds the
 * remainder of what has passed. There is one operation: to put n zero bytes behind it, which multiplies it by
 * x<sup>8n</sup> modulo P. Multiplication distributes over XOR, so it is a sum of eight products, one for each byte of
 * the register, and for a fixed n they are looked up in eight tables of 256.
 *
 * <p><b>Eight bytes a step.</b> The next eight bytes, read as a little-endian number, fall on the register's own powers.
 * They are XORed in, and the register is multiplied by x<sup>64</sup>. This is slicing-by-8. One byte is the same
 * through the last of the eight tables alone, whose products are those of x<sup>8</sup>.
 *
 * <p><b>Three lanes.</b> Each step waits for the one before, and the processor could do more in that time. So a long
 * stretch is cut into three lanes of equal length that are stepped in turn, none waiting for another: the first goes on
 * from the register, the others start at 0. In the message the second lane stands a lane's length behind the first, so
 * the first is multiplied by x<sup>8·length</sup> and the second XORed to it, and likewise the third. For that one fixed
 * length there are eight more tables, and a merge costs as much as two steps. Lanes of 680 bytes make stretches of 2040:
 * a buffer whose size is a power of two, as most are, leaves little over.
 *
 * <p>Sources: R. N. Williams, <i>A Painless Guide to CRC Error Detection Algorithms</i>, 1993 (registers, reflection); M.
 * E. Kounavis and F. L. Berry, <i>A Systematic Approach to Building High Performance, Software-based, CRC
 * Generators</i>, 2005 (slicing); V. Gopal and others, <i>Fast CRC Computation for iSCSI Polynomial Using CRC32
 * Instruction</i>, Intel 2011 (three lanes, there for the processor's own instruction); <i>NVM Express NVM Command Set
 * Specification</i>, 64b CRC (the polynomial, and the check values of the tests).
 */
final class Crc64Nvme extends RunningChecksum {

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int LANE = 680;
    private static final int STRETCH = 3 * LANE;
    private static final int LANE_WORDS = LANE / Long.BYTES;
    private static final int STRETCH_WORDS = 3 * LANE_WORDS;

    private static final long[] STEP = productsOfZeroBytes(Long.BYTES);
    private static final long[] MERGE = productsOfZeroBytes(LANE);
    private static final int LAST = 7 << 8;

    private long register = -1;

    @Override
    void add(byte[] bytes, int offset, int length) {
        long crc = register;
        int at = offset;
        int end = offset + length;
        for (; end - at >= STRETCH; at += STRETCH) {
            crc = addStretch(crc, bytes, at);
        }
        for (; end - at >= Long.BYTES; at += Long.BYTES) {
            crc = product(STEP, crc ^ (long) WORD.get(bytes, at));
        }
        for (; at < end; at++) {
            crc = addByte(crc, bytes[at]);
        }
        register = crc;
    }

    // the loops again: one VarHandle over both kinds of buffer ran at 0.6 times the speed
    @Override
    void add(ByteBuffer buffer, int position, int length) {
        if (buffer.isDirect()) {
            addDirect(view(buffer, position, length));
        } else {
            super.add(buffer, position, length);
        }
    }

    @Override
    void addDirect(ByteBuffer own) {
        ByteOrder order = own.order();
        LongBuffer words = own.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
        own.order(order);
        addWords(words);
        int rest = own.remaining() % Long.BYTES;
        for (int at = own.limit() - rest; at < own.limit(); at++) {
            register = addByte(register, own.get(at));
        }
    }

    private void addWords(LongBuffer words) {
        long crc = register;
        int at = 0;
        int end = words.limit();
        for (; end - at >= STRETCH_WORDS; at += STRETCH_WORDS) {
            crc = addStretch(crc, words, at);
        }
        for (; at < end; at++) {
            crc = product(STEP, crc ^ words.get(at));
        }
        register = crc;
    }

    @Override
    byte[] end() {
        return ByteBuffer.allocate(Long.BYTES).putLong(~register).array();
    }

    private static long addStretch(long crc, byte[] bytes, int from) {
        long first = crc;
        long second = 0;
        long third = 0;
        for (int at = from; at < from + LANE; at += Long.BYTES) {
            first = product(STEP, first ^ (long) WORD.get(bytes, at));
            second = product(STEP, second ^ (long) WORD.get(bytes, at + LANE));
            third = product(STEP, third ^ (long) WORD.get(bytes, at + 2 * LANE));
        }
        return merge(first, second, third);
    }

    private static long addStretch(long crc, LongBuffer words, int from) {
        long first = crc;
        long second = 0;
        long third = 0;
        for (int at = from; at < from + LANE_WORDS; at++) {
            first = product(STEP, first ^ words.get(at));
            second = product(STEP, second ^ words.get(at + LANE_WORDS));
            third = product(STEP, third ^ words.get(at + 2 * LANE_WORDS));
        }
        return merge(first, second, third);
    }

    private static long merge(long first, long second, long third) {
        return product(MERGE, product(MERGE, first) ^ second) ^ third;
    }

    private static long addByte(long crc, byte value) {
        return (crc >>> 8) ^ STEP[LAST + (((int) crc ^ value) & 0xff)];
    }

    private static long product(long[] products, long crc) {
        return products[(int) crc & 0xff]
                ^ products[0x100 + ((int) (crc >>> 8) & 0xff)]
                ^ products[0x200 + ((int) (crc >>> 16) & 0xff)]
                ^ products[0x300 + ((int) (crc >>> 24) & 0xff)]
                ^ products[0x400 + ((int) (crc >>> 32) & 0xff)]
                ^ products[0x500 + ((int) (crc >>> 40) & 0xff)]
                ^ products[0x600 + ((int) (crc >>> 48) & 0xff)]
                ^ products[LAST + (int) (crc >>> 56)];
    }

    private static long[] productsOfZeroBytes(int count) {
        ReflectedPolynomial polynomial = ReflectedPolynomial.CRC64NVME;
        long factor = polynomial.zeroBytes(count);
        long[] products = new long[8 << 8];
        for (int place = 0; place < 8; place++) {
            int table = place << 8;
            for (int value = 1; value < 256; value++) {
                int lowest = value & -value;
                products[table + value] = value == lowest
                        ? polynomial.multiply((long) value << (8 * place), factor)
                        : products[table + value - lowest] ^ products[table + lowest];
            }
        }
        return products;
    }
}
