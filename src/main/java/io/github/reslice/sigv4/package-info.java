/**
 * AWS Signature Version 4 for requests to S3, in plain code: {@link io.github.reslice.sigv4.SigV4} signs a request's
 * headers, for those who bring their own HTTP client, and {@link io.github.reslice.sigv4.SigV4Verifier} verifies the
 * signatures of requests that come in.
 */
@NullMarked
package io.github.reslice.sigv4;

import org.jspecify.annotations.NullMarked;
