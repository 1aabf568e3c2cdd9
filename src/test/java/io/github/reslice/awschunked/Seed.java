package io.github.reslice.awschunked;

import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.sigv4.SigV4;
import io.github.reslice.sigv4.SignedHeaders;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;

/** Requests signed as those of the S3 API reference's examples, for bodies to start from. */
public final class Seed {

    public static final String SECRET_KEY = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

    private static final SigV4 SIGV4 = SigV4.builder()
            .region("us-east-1")
            .clock(Clock.fixed(Instant.parse("2013-05-24T00:00:00Z"), ZoneOffset.UTC))
            .build();

    private Seed() {}

    /** A request to put an object, with these headers. */
    public static SignedHeaders of(Map<String, String> headers) {
        return SIGV4.sign(
                "PUT",
                URI.create("https://s3.amazonaws.com/examplebucket/chunkObject.txt"),
                headers,
                AwsCredentials.of("AKIAIOSFODNN7EXAMPLE", SECRET_KEY));
    }

    /** A request whose headers say nothing of its body. */
    public static SignedHeaders any() {
        return of(Map.of());
    }

    /** The signatures that a body of this request must have. */
    public static ReferenceChain chain(SignedHeaders seed) {
        return new ReferenceChain(SECRET_KEY, seed.timestamp(), seed.scope(), seed.signature());
    }
}
