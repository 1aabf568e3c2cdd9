/** Many uploads in a row, of which most meet a fault. */
@NullMarked
package io.github.reslice.soak;

import org.jspecify.annotations.NullMarked;
