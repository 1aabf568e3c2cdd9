package io.github.reslice.benchmarks.uploads;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/** TLS 1.3 for 127.0.0.1, with a certificate that the JDK's keytool makes and only this run trusts. */
final class Tls {

    private static final String VERSION = "TLSv1.3";
    private static final String PASSWORD = "only-for-this-run";

    private Tls() {}

    static Path makeCertificate(Path directory) throws IOException, InterruptedException {
        Path store = directory.resolve("certificate.p12");
        int status = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "server",
                        "-dname",
                        "CN=127.0.0.1",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("keytool ended with " + status);
        }
        return store;
    }

    static SslContext server(Path store) throws GeneralSecurityException, IOException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(load(store), PASSWORD.toCharArray());
        return SslContextBuilder.forServer(keys)
                .sslProvider(SslProvider.JDK)
                .protocols(VERSION)
                .build();
    }

    static SslContext client(Path store, SslProvider engine) throws GeneralSecurityException, IOException {
        return SslContextBuilder.forClient()
                .sslProvider(engine)
                .protocols(VERSION)
                .trustManager(trust(store))
                .build();
    }

    static TrustManagerFactory trust(Path store) throws GeneralSecurityException, IOException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore certificates = KeyStore.getInstance("PKCS12");
        certificates.load(null, null);
        certificates.setCertificateEntry("server", load(store).getCertificate("server"));
        trust.init(certificates);
        return trust;
    }

    private static KeyStore load(Path store) throws GeneralSecurityException, IOException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }
}
