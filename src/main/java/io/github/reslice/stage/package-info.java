/** Byte framings as plain code, and the one operator that carries them. Knows Reactor, and no wire format. */
@org.jspecify.annotations.NullMarked
package io.github.reslice.stage;
