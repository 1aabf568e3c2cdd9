package io.github.reslice.checksum;

/**
 * Arithmetic on the remainders of a CRC: polynomials with coefficients 0 and 1, modulo the CRC's own polynomial P.
 *
 * <p>They are written as the CRCs of this package are, in the reflected order: of {@code width} bits the highest is the
 * coefficient of x<sup>0</sup>, the lowest that of the highest power. Multiplying by x is then a shift to the right,
 * and if a 1 falls out, P is subtracted (P without its leading term, reflected too). Addition and subtraction are XOR.
 *
 * <p>Putting n zero bytes behind a message multiplies its remainder by x<sup>8n</sup>. That one fact is used twice: to
 * combine the CRCs of parts ({@link CrcCombination}), and to compute several stretches of one message at a time
 * ({@link Crc64Nvme}).
 */
final class ReflectedPolynomial {

    static final ReflectedPolynomial CRC32 = new ReflectedPolynomial(32, 0xedb88320L);
    static final ReflectedPolynomial CRC32C = new ReflectedPolynomial(32, 0x82f63b78L);
    static final ReflectedPolynomial CRC64NVME = new ReflectedPolynomial(64, 0x9a6c9329ac4bc9b5L);

    private final long one;
    private final long polynomial;

    private ReflectedPolynomial(int width, long polynomial) {
        this.one = 1L << (width - 1);
        this.polynomial = polynomial;
    }

    /** a · b mod P. */
    long multiply(long a, long b) {
        long product = 0;
        long shifted = b;
        for (long power = one; power != 0; power >>>= 1) {
            if ((a & power) != 0) {
                product ^= shifted;
            }
            shifted = (shifted & 1) == 0 ? shifted >>> 1 : (shifted >>> 1) ^ polynomial;
        }
        return product;
    }

    /** x<sup>8n</sup> mod P, in as many steps as n has bits. */
    long zeroBytes(long n) {
        long power = one;
        long square = one >>> 8;
        for (long rest = n; rest != 0; rest >>>= 1) {
            if ((rest & 1) != 0) {
                power = multiply(power, square);
            }
            square = multiply(square, square);
        }
        return power;
    }
}
