/** S3 servers for the tests, what each of them checks, and what stands between them and a client. */
@NullMarked
package io.github.reslice.servers;

import org.jspecify.annotations.NullMarked;
