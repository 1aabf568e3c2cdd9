/** BlockHound over all that runs on threads which must not block. */
@NullMarked
package io.github.reslice.blocking;

import org.jspecify.annotations.NullMarked;
