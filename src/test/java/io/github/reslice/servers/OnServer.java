package io.github.reslice.servers;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs a test class, and those nested in it, against a server, which test methods and constructors take as an {@link S3Server} parameter. A server is
 * started when the first class asks for it and ends with the run. A class whose server is not there is skipped, and the
 * report says why.
 *
 * <pre>{@code
 * abstract class UploadSuite {
 *     @Test
 *     void storesAnEmptyObject(S3Server server) { ... }
 * }
 *
 * @OnServer(Peer.S3MOCK)
 * class S3MockUploadTest extends UploadSuite {}
 * }</pre>
 */
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ServerExtension.class)
public @interface OnServer {
    /** Which one. */
    Peer value();
}
