package io.github.reslice.checksum;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.lang.reflect.Constructor;
import java.nio.ByteBuffer;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/**
 * CRC64NVME in native code, by the AWS Common Runtime, where {@code software.amazon.awssdk.crt:aws-crt} is on the class path
 * and its library loads.
 *
 * <p>Its class is a {@link Checksum} of the JDK's, so that its name is all that is needed of it, and nothing here depends on it.
 * It reads arrays in place and no buffers: those come through the scratch array. A call costs some 50 ns, however little it
 * has to read, so that short pieces are gathered.
 */
final class NativeCrc64Nvme extends RunningChecksum {

    private static final String CLASS_NAME = "software.amazon.awssdk.crt.checksums.CRC64NVME";

    /** The garbage collector waits for the end of a call, so that one has to be short. */
    private static final int BYTES_A_CALL = 1024 * 1024;

    private static final int SHORT = 256;

    private static final byte[] DIGITS = "123456789".getBytes(US_ASCII);
    private static final long CRC_OF_DIGITS = 0xae8b14860a799888L;

    private static final @Nullable Constructor<? extends Checksum> CONSTRUCTOR = find();

    private final Checksum crc;
    private final byte[] gathered = new byte[4 * SHORT];
    private int count;

    private NativeCrc64Nvme(Checksum crc) {
        this.crc = crc;
    }

    /** A computation in native code, or null where that cannot be had. */
    static @Nullable RunningChecksum start() {
        return CONSTRUCTOR == null ? null : new NativeCrc64Nvme(make(CONSTRUCTOR));
    }

    private static @Nullable Constructor<? extends Checksum> find() {
        try {
            Constructor<? extends Checksum> constructor =
                    Class.forName(CLASS_NAME).asSubclass(Checksum.class).getConstructor();
            Checksum crc = make(constructor);
            crc.update(DIGITS);
            return crc.getValue() == CRC_OF_DIGITS ? constructor : null;
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            return null; // it is not there, or there is no library for this machine
        }
    }

    private static Checksum make(Constructor<? extends Checksum> constructor) {
        try {
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    void add(byte[] bytes, int offset, int length) {
        if (length < SHORT) {
            gather(bytes, offset, length);
            return;
        }
        addGathered();
        for (int done = 0; done < length; done += BYTES_A_CALL) {
            crc.update(bytes, offset + done, Math.min(BYTES_A_CALL, length - done));
        }
    }

    private void gather(byte[] bytes, int offset, int length) {
        if (length > gathered.length - count) {
            addGathered();
        }
        System.arraycopy(bytes, offset, gathered, count, length);
        count += length;
    }

    private void addGathered() {
        if (count > 0) {
            crc.update(gathered, 0, count);
            count = 0;
        }
    }

    @Override
    byte[] end() {
        addGathered();
        return ByteBuffer.allocate(Long.BYTES).putLong(crc.getValue()).array();
    }
}
