package io.github.reslice.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for 127.0.0.1, made by the JDK's keytool, which only one test trusts. */
public final class TestCertificate {

    private static final String ALIAS = "server";
    private static final String PASSWORD = "only-for-this-test";

    private final KeyStore store;

    private TestCertificate(KeyStore store) {
        this.store = store;
    }

    /** Makes one; keytool leaves a file in the directory. */
    public static TestCertificate make(Path directory)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path file = directory.resolve("certificate.p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        int status = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        ALIAS,
                        "-dname",
                        "CN=127.0.0.1",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("keytool ended with " + status);
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return new TestCertificate(store);
    }

    /** For the server. */
    public KeyManagerFactory keys() throws GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        return keys;
    }

    /** For the client. */
    public TrustManagerFactory trust() throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(ALIAS, store.getCertificate(ALIAS));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        return trust;
    }
}
