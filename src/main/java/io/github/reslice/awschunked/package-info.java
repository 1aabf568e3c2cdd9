/** The {@code aws-chunked} wire format as plain code: its layout, its trailers, and the stages that write it. */
@NullMarked
package io.github.reslice.awschunked;

import org.jspecify.annotations.NullMarked;
