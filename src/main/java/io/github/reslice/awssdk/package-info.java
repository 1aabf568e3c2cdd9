/** Reslice's encoder inside the AWS SDK's {@code S3AsyncClient}, and its bodies as streams of Reactor's. */
@NullMarked
package io.github.reslice.awssdk;

import org.jspecify.annotations.NullMarked;
