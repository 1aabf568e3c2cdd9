/** Byte-framing operators for Project Reactor: what a user names. */
@NullMarked
package io.github.reslice;

import org.jspecify.annotations.NullMarked;
