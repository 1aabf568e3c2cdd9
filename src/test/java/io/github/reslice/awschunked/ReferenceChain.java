package io.github.reslice.awschunked;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All signatures that a body must have, made without sharing a line with the code under test. */
public final class ReferenceChain {

    private final PlainChunkSigner signer;

    /** The chain that starts with a request's signature. */
    public ReferenceChain(String secretKey, String timestamp, String scope, String seed) {
        signer = new PlainChunkSigner(secretKey, timestamp, scope, seed);
    }

    /** The signatures that a decoded body must have, the zero chunk's too, and the trailer's last if it has one. */
    public List<String> of(ReferenceDecoder.Body body) {
        List<String> signatures = new ArrayList<>();
        int from = 0;
        for (int size : body.chunkSizes()) {
            signatures.add(signer.chunk(Arrays.copyOfRange(body.payload(), from, from + size)));
            from += size;
        }
        signatures.add(signer.chunk(new byte[0]));
        Map<String, String> trailers = new TreeMap<>(body.trailers());
        if (trailers.remove("x-amz-trailer-signature") != null) {
            StringBuilder lines = new StringBuilder();
            trailers.forEach((name, value) -> lines.append(name + ":" + value + "\n"));
            signatures.add(signer.trailer(lines.toString()));
        }
        return signatures;
    }
}
