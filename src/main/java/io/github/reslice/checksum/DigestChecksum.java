package io.github.reslice.checksum;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** A message digest of the JDK. */
final class DigestChecksum extends RunningChecksum {

    private final MessageDigest digest;

    DigestChecksum(String name) {
        try {
            digest = MessageDigest.getInstance(name);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no " + name, e);
        }
    }

    @Override
    void add(byte[] bytes, int offset, int length) {
        digest.update(bytes, offset, length);
    }

    @Override
    byte[] end() {
        return digest.digest();
    }
}
