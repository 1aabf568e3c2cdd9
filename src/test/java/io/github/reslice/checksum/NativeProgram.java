package io.github.reslice.checksum;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Random;

/** What {@link NativeCrc64NvmeTest} runs where the AWS Common Runtime is on the class path, and no library of tests is. */
public final class NativeProgram {

    private NativeProgram() {}

    /** The class that computes CRC64NVME. */
    public static String used() {
        return ChecksumAlgorithm.CRC64NVME.start().getClass().getSimpleName();
    }

    /** The CRC64NVME of bytes that come in pieces of any length, in every kind of buffer. */
    public static byte[] digest(byte[] bytes, long seed) {
        Random random = new Random(seed);
        TestBuffer[] kinds = TestBuffer.values();
        RunningChecksum checksum = ChecksumAlgorithm.CRC64NVME.start();
        for (int from = 0; from < bytes.length; ) {
            int length = Math.min(random.nextInt(random.nextBoolean() ? 400 : 9000), bytes.length - from);
            ByteBuffer buffer = kinds[random.nextInt(kinds.length)].of(bytes, from, length);
            if (random.nextBoolean()) {
                checksum.update(buffer);
            } else {
                checksum.consume(buffer);
            }
            from += length;
        }
        return checksum.digest();
    }

    /** The same of one piece. */
    public static byte[] digestAtOnce(byte[] bytes, int offset, int length) {
        RunningChecksum checksum = ChecksumAlgorithm.CRC64NVME.start();
        checksum.update(bytes, offset, length);
        return checksum.digest();
    }

    /** The same from the checksums of two parts. */
    public static String combined(byte[] bytes, int cut) {
        RunningChecksum first = ChecksumAlgorithm.CRC64NVME.start();
        first.update(bytes, 0, cut);
        RunningChecksum second = ChecksumAlgorithm.CRC64NVME.start();
        second.update(bytes, cut, bytes.length - cut);
        return CrcCombination.of(ChecksumAlgorithm.CRC64NVME)
                .combine(first.base64(), second.base64(), bytes.length - cut);
    }

    /** Bytes allocated by updates with a buffer, once its scratch array is there. */
    public static long allocated(String kind, int updates) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        ByteBuffer buffer = TestBuffer.valueOf(kind).of(new byte[5000]);
        RunningChecksum checksum = ChecksumAlgorithm.CRC64NVME.start();
        checksum.update(buffer);
        threads.getCurrentThreadAllocatedBytes();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < updates; i++) {
            checksum.update(buffer);
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    /** The AWS Common Runtime's own xxHash of bytes. */
    public static byte[] xxHashOfTheRuntime(String method, byte[] bytes) throws ReflectiveOperationException {
        Method compute =
                Class.forName("software.amazon.awssdk.crt.checksums.XXHash").getMethod(method, byte[].class);
        return (byte[]) compute.invoke(null, (Object) bytes);
    }
}
