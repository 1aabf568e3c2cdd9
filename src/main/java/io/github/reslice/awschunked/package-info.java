/**
 * The {@code aws-chunked} wire format as plain code: its layout, its trailers, and the stages that write and read it.
 *
 * <p>{@code io.github.reslice.AwsChunked} and {@code AwsChunkedDecoder} are what most users need: they have the defaults, and
 * hold to S3's bounds. The stages
 * are for those who encode or decode without Reactor, or build on them.
 */
@NullMarked
package io.github.reslice.awschunked;

import org.jspecify.annotations.NullMarked;
