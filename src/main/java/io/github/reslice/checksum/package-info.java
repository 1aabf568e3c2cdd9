/** Checksums over bytes that pass by, in plain code. */
@org.jspecify.annotations.NullMarked
package io.github.reslice.checksum;
