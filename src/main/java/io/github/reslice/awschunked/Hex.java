package io.github.reslice.awschunked;

/** Hexadecimal digits in ASCII, of either case. */
final class Hex {

    private Hex() {}

    /** The digit's value, or -1. Not {@link Character#digit}, which takes those of other scripts. */
    static int digit(byte b) {
        if (b >= '0' && b <= '9') {
            return b - '0';
        }
        int lowerCase = b | 0x20;
        return lowerCase >= 'a' && lowerCase <= 'f' ? lowerCase - 'a' + 10 : -1;
    }
}
