package io.github.reslice.servers;

import io.github.reslice.checksum.ChecksumAlgorithm;
import java.net.URI;

/**
 * A running S3 server: how to reach it, and what is known of it.
 *
 * @param name for messages
 * @param endpoint scheme, host and port; buckets are addressed by path
 * @param accessKey the access key of a user who may do everything
 * @param secretKey that user's secret key
 * @param region the region to sign for
 * @param traits what the server checks, knows and can hold
 */
public record S3Server(
        String name, URI endpoint, String accessKey, String secretKey, String region, ServerTraits traits) {

    /** Whether the server looks at this. */
    public boolean checks(Check check) {
        return traits.checks().contains(check);
    }

    /** Whether the server compares this algorithm's checksum when it comes in a trailer. */
    public boolean verifies(ChecksumAlgorithm algorithm) {
        return traits.verifiedTrailers().contains(algorithm);
    }

    /** Whether the server takes a body with this algorithm's checksum in the trailer, verified or not. */
    public boolean takes(ChecksumAlgorithm algorithm) {
        return verifies(algorithm) || !checks(Check.TRAILER_NAME);
    }

    /** Whether an object can be stored under this key and found there under the same name. */
    public boolean holds(String key) {
        return !traits.keysNotHeld().contains(key);
    }

    /** The same server, reached through a proxy. */
    public S3Server through(URI proxy) {
        return new S3Server(name + " through a proxy", proxy, accessKey, secretKey, region, traits);
    }

    /** Says which server, and shows no secret key. */
    @Override
    public String toString() {
        return name + " at " + endpoint;
    }
}
