/** Spring's {@code WebClient} as an S3 uploader, and the operators over its {@code DataBuffer}. */
@NullMarked
package io.github.reslice.spring;

import org.jspecify.annotations.NullMarked;
