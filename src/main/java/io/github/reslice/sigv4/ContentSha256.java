package io.github.reslice.sigv4;

import io.github.reslice.sigv4.SignatureRefusedException.Reason;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a request says of its payload: {@code x-amz-content-sha256}, in a header or in a presigned URL's query. It is the
 * payload's SHA-256, or says that and how the payload goes without one; either way it is part of what is signed.
 */
final class ContentSha256 {

    private static final String NAME = "x-amz-content-sha256";
    private static final String UNSIGNED = "UNSIGNED-PAYLOAD";
    private static final Pattern HASH = Pattern.compile("[0-9a-fA-F]{64}");
    private static final Set<String> STREAMING = Set.of(
            "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
            "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
            "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER");

    private ContentSha256() {}

    /** The value, or what stands for it where it may be left out. */
    static String of(SignatureClaim claim, RequestTarget target, ReceivedHeaders headers, String service) {
        String given = given(claim, target, headers);
        return given == null ? byDefault(claim, service) : checked(given, claim);
    }

    private static @Nullable String given(SignatureClaim claim, RequestTarget target, ReceivedHeaders headers) {
        String inHeader = headers.joined(NAME);
        List<String> inQuery = claim.presigned() ? target.values("X-Amz-Content-Sha256") : List.of();
        if (inQuery.size() + (inHeader == null ? 0 : 1) > 1) {
            throw claim.malformed(NAME + " comes more than once");
        }
        return inQuery.isEmpty() ? inHeader : inQuery.get(0);
    }

    private static String byDefault(SignatureClaim claim, String service) {
        if (claim.presigned()) {
            return UNSIGNED;
        }
        if (service.equals("s3")) {
            throw new SignatureRefusedException(Reason.NO_PAYLOAD_HASH, "The header " + NAME + " is missing");
        }
        return CanonicalRequest.EMPTY_HASH;
    }

    private static String checked(String given, SignatureClaim claim) {
        if (given.startsWith("STREAMING-AWS4-ECDSA-")) {
            throw new SignatureRefusedException(Reason.UNSUPPORTED_MODE, "The mode " + given + " is not known here");
        }
        if (STREAMING.contains(given)) {
            if (claim.presigned()) {
                throw new SignatureRefusedException(
                        Reason.PRESIGNED_STREAM, "A presigned URL takes a plain body, not one of mode " + given);
            }
        } else if (!given.equals(UNSIGNED) && !HASH.matcher(given).matches()) {
            throw new SignatureRefusedException(
                    Reason.UNKNOWN_PAYLOAD_HASH,
                    NAME + " must be UNSIGNED-PAYLOAD, a streaming mode, or a SHA-256 in hexadecimal digits");
        }
        return given;
    }
}
