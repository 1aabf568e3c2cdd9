/** The operators over Netty's {@code ByteBuf}, for Reactor Netty's {@code HttpClient} and whoever sends such buffers. */
@NullMarked
package io.github.reslice.netty;

import org.jspecify.annotations.NullMarked;
