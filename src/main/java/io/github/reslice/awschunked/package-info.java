/**
 * The {@code aws-chunked} wire format as plain code: its layout, its trailers, and the stages that write it.
 *
 * <p>{@code io.github.reslice.AwsChunked} is what most users need: it has the defaults, and holds to S3's bounds. The stages
 * are for those who encode without Reactor, or build on them.
 */
@NullMarked
package io.github.reslice.awschunked;

import org.jspecify.annotations.NullMarked;
