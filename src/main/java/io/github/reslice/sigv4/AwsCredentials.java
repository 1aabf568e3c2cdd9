package io.github.reslice.sigv4;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An access key, its secret key and, for temporary credentials, the session token that came with them.
 *
 * <pre>{@code
 * AwsCredentials own = AwsCredentials.of(accessKey, secretKey);
 * AwsCredentials temporary = AwsCredentials.of(accessKey, secretKey, sessionToken);
 * }</pre>
 *
 * <p>Immutable. Only the access key can be read back; neither {@link #toString()} nor a message shows anything else.
 */
public final class AwsCredentials {

    private final String accessKey;
    private final String secretKey;
    private final @Nullable String sessionToken;

    private AwsCredentials(String accessKey, String secretKey, @Nullable String sessionToken) {
        this.accessKey = accessKey;
        this.secretKey = secretKey;
        this.sessionToken = sessionToken;
    }

    /**
     * Long-term credentials.
     *
     * @param accessKey the access key: visible ASCII without a comma, which ends it in the Authorization header
     * @param secretKey its secret key: anything but blank, without control characters
     * @return the credentials
     * @throws IllegalArgumentException if one is blank, or has a character that it cannot have; the message shows
     *     neither
     */
    public static AwsCredentials of(String accessKey, String secretKey) {
        return new AwsCredentials(checkAccessKey(accessKey), checkSecretKey(secretKey), null);
    }

    /**
     * Temporary credentials; the token is sent as {@code x-amz-security-token}, and signed.
     *
     * @param accessKey the access key: visible ASCII without a comma, which ends it in the Authorization header
     * @param secretKey its secret key: anything but blank, without control characters
     * @param sessionToken the token that came with them: visible ASCII
     * @return the credentials
     * @throws IllegalArgumentException if one is blank, or has a character that it cannot have; the message shows none
     *     of them
     */
    public static AwsCredentials of(String accessKey, String secretKey, String sessionToken) {
        return new AwsCredentials(
                checkAccessKey(accessKey), checkSecretKey(secretKey), checkVisible("session token", sessionToken));
    }

    private static String checkAccessKey(String accessKey) {
        checkVisible("access key", accessKey);
        if (accessKey.indexOf(',') >= 0) {
            throw unfit("access key", accessKey, accessKey.indexOf(','), "visible ASCII without a comma");
        }
        return accessKey;
    }

    private static String checkSecretKey(String secretKey) {
        requireNotBlank("secret key", secretKey);
        for (int i = 0; i < secretKey.length(); i++) {
            // most often the line end of the file that it was read from
            if (Character.isISOControl(secretKey.charAt(i))) {
                throw unfit("secret key", secretKey, i, "no control characters");
            }
        }
        return secretKey;
    }

    private static String checkVisible(String what, String value) {
        requireNotBlank(what, value);
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) <= ' ' || value.charAt(i) > '~') {
                throw unfit(what, value, i, "visible ASCII only");
            }
        }
        return value;
    }

    private static void requireNotBlank(String what, String value) {
        if (Objects.requireNonNull(value, what).isBlank()) {
            throw new IllegalArgumentException(what + " is blank (" + value.length() + " characters)");
        }
    }

    /** Says where, not what: whoever swapped the arguments has a secret in the access key's place. */
    private static IllegalArgumentException unfit(String what, String value, int index, String bound) {
        return new IllegalArgumentException("%s: character %d of %d is not allowed, it may have %s"
                .formatted(what, index + 1, value.length(), bound));
    }

    /**
     * The access key, which is no secret: it is in every request.
     *
     * @return the access key
     */
    public String accessKey() {
        return accessKey;
    }

    String secretKey() {
        return secretKey;
    }

    @Nullable
    String sessionToken() {
        return sessionToken;
    }

    /**
     * Whether the other has the same keys and the same token.
     *
     * @param other another object
     * @return true if all parts are equal
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AwsCredentials that
                && accessKey.equals(that.accessKey)
                && secretKey.equals(that.secretKey)
                && Objects.equals(sessionToken, that.sessionToken);
    }

    /**
     * The access key's alone, so that nothing of the secret shows in it.
     *
     * @return the hash code
     */
    @Override
    public int hashCode() {
        return accessKey.hashCode();
    }

    /**
     * The access key and nothing else.
     *
     * @return for example {@code AwsCredentials[AKIAIOSFODNN7EXAMPLE]}
     */
    @Override
    public String toString() {
        return "AwsCredentials[" + accessKey + "]";
    }
}
