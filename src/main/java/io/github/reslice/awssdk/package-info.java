/** Reslice's encoder inside the AWS SDK's asynchronous S3 client, and Reactor's streams as its bodies. */
@NullMarked
package io.github.reslice.awssdk;

import org.jspecify.annotations.NullMarked;
