package io.github.reslice.sigv4;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.reslice.sigv4.SignatureRefusedException.Reason;
import java.net.URI;
import java.security.MessageDigest;
import java.util.Map;

/**
 * A signature that came with a request, for the right time and place, over what it must be over. <strong>It proves nothing
 * before it is {@linkplain #verify verified}.</strong>
 *
 * <p>Immutable. {@link #toString()} has the access key and the signed headers' names.
 *
 * @see SigV4Verifier
 */
public final class PresentedSignature {

    private final SignatureClaim claim;
    private final CanonicalRequest request;
    private final URI uri;
    private final Map<String, String> signedHeaders;
    private final String contentSha256;

    PresentedSignature(
            SignatureClaim claim,
            CanonicalRequest request,
            URI uri,
            Map<String, String> signedHeaders,
            String contentSha256) {
        this.claim = claim;
        this.request = request;
        this.uri = uri;
        this.signedHeaders = signedHeaders;
        this.contentSha256 = contentSha256;
    }

    /**
     * Whose signature it says it is.
     *
     * @return the access key
     */
    public String accessKey() {
        return claim.accessKey();
    }

    /**
     * What is signed for the body: the SHA-256 of it in 64 hexadecimal digits, {@code UNSIGNED-PAYLOAD}, or a streaming
     * mode. <strong>Take the mode from here</strong>, after {@link #verify}.
     *
     * @return the signed {@code x-amz-content-sha256}; of a presigned URL without it, {@code UNSIGNED-PAYLOAD}; for a
     *     service other than S3 without it, the hash of nothing
     */
    public String contentSha256() {
        return contentSha256;
    }

    /**
     * Whether the signature is in the URL's query.
     *
     * @return true for a presigned URL, false for an Authorization header
     */
    public boolean presigned() {
        return claim.presigned();
    }

    /**
     * Compares the signature with the one over this request with these credentials, in a time that does not tell where
     * they differ. The same of the session token: a request must have the one of the credentials, and none if they have
     * none.
     *
     * @param credentials those of {@link #accessKey()}
     * @return the verified request, where the signatures of the body's chunks start. Its {@linkplain
     *     SignedHeaders#headers() headers} are those that the signature covers, and its URI's scheme is {@code http},
     *     since the scheme is not signed.
     * @throws SignatureRefusedException if the signature or the token is wrong
     * @throws IllegalArgumentException if the credentials are those of another access key
     */
    public SignedHeaders verify(AwsCredentials credentials) {
        if (!credentials.accessKey().equals(accessKey())) {
            throw new IllegalArgumentException(
                    "credentials of " + credentials.accessKey() + " for a request of " + accessKey());
        }
        SigningKey key = SigningKey.derive(credentials.secretKey(), claim.scope());
        String signature = key.sign(request.stringToSign(claim.timestamp(), claim.scope()));
        if (!isEqual(signature, claim.signature())) {
            throw new SignatureRefusedException(
                    Reason.WRONG_SIGNATURE,
                    "The signature is not the one over this request; check the secret key and the signing method");
        }
        String token = credentials.sessionToken();
        if (!isEqual(token == null ? "" : token, claim.sessionToken() == null ? "" : claim.sessionToken())) {
            throw new SignatureRefusedException(
                    Reason.WRONG_TOKEN, "The session token is not the one that belongs to the access key");
        }
        return new SignedHeaders(uri, signedHeaders, claim.timestamp(), claim.scope(), key, signature);
    }

    private static boolean isEqual(String expected, String actual) {
        return MessageDigest.isEqual(expected.getBytes(UTF_8), actual.getBytes(UTF_8));
    }

    /**
     * Whose it is, when and for what it was made, and the signed headers' names.
     *
     * @return no header's value, no key and no token
     */
    @Override
    public String toString() {
        return "PresentedSignature[" + claim + "]";
    }
}
