/** Reactor's streams in the AWS SDK's asynchronous clients. */
@NullMarked
package io.github.reslice.awssdk;

import org.jspecify.annotations.NullMarked;
