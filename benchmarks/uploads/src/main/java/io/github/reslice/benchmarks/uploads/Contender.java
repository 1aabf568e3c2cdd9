package io.github.reslice.benchmarks.uploads;

import io.github.reslice.awssdk.ResliceAuthScheme;
import java.util.EnumSet;
import java.util.Set;
import software.amazon.awssdk.crt.CRT;

/** Who uploads. */
enum Contender {
    BARE_CHECKSUM("the checksum alone, no upload", setting -> new BareChecksum(setting.body(), setting.checksum())),
    WEBCLIENT_RAW("WebClient, the raw body", setting -> WebClientUpload.raw(setting, Connector.REACTOR_NETTY)),
    WEBCLIENT_FILTER(
            "WebClient with S3ExchangeFilter", setting -> WebClientUpload.filtered(setting, Connector.REACTOR_NETTY)),
    WEBCLIENT_FILTER_256(
            "WebClient with joinUpTo(256)", setting -> WebClientUpload.joined(setting, Connector.REACTOR_NETTY, 256)) {
        @Override
        boolean runs(Over over) {
            return over.encrypted();
        }
    },
    HTTPCLIENT_RAW("HttpClient, the raw body", HttpClientUpload::raw),
    HTTPCLIENT_BYTEBUFS("HttpClient with ByteBufs", HttpClientUpload::encoded),
    SDK(
            "S3AsyncClient, Netty",
            setting -> SdkUpload.over(SdkUpload.netty(setting).build(), setting)),
    SDK_SCHEME(
            "S3AsyncClient with ResliceAuthScheme",
            setting -> SdkUpload.over(
                    SdkUpload.netty(setting)
                            .putAuthScheme(ResliceAuthScheme.create())
                            .build(),
                    setting)),
    CRT_CLIENT("S3AsyncClient, CRT", setting -> SdkUpload.over(SdkUpload.crt(setting), setting)) {
        @Override
        boolean runs(Over over) {
            if (over != Over.HTTP && over != Over.TLS_OPENSSL) {
                return false;
            }
            try {
                new CRT();
                return true;
            } catch (LinkageError | RuntimeException e) { // its native library does not load here
                return false;
            }
        }
    },
    WEBCLIENT_JOINED(
            "WebClient with joinUpTo(16 KiB)",
            setting -> WebClientUpload.joined(setting, Connector.REACTOR_NETTY, 16 * 1024)),
    JDK_RAW("JDK's, the raw body", setting -> WebClientUpload.raw(setting, Connector.JDK)),
    JDK_FILTER("JDK's with S3ExchangeFilter", setting -> WebClientUpload.filtered(setting, Connector.JDK)),
    JDK_JOINED("JDK's with joinUpTo(16 KiB)", setting -> WebClientUpload.joined(setting, Connector.JDK, 16 * 1024)),
    JETTY_RAW("Jetty's, the raw body", setting -> WebClientUpload.raw(setting, Connector.JETTY)),
    JETTY_FILTER("Jetty's with S3ExchangeFilter", setting -> WebClientUpload.filtered(setting, Connector.JETTY)),
    JETTY_JOINED(
            "Jetty's with joinUpTo(16 KiB)", setting -> WebClientUpload.joined(setting, Connector.JETTY, 16 * 1024)),
    APACHE_RAW("Apache's, the raw body", setting -> WebClientUpload.raw(setting, Connector.APACHE)),
    APACHE_FILTER("Apache's with S3ExchangeFilter", setting -> WebClientUpload.filtered(setting, Connector.APACHE)),
    APACHE_JOINED(
            "Apache's with joinUpTo(16 KiB)", setting -> WebClientUpload.joined(setting, Connector.APACHE, 16 * 1024));

    static final Set<Contender> RAW = EnumSet.of(WEBCLIENT_RAW, HTTPCLIENT_RAW, JDK_RAW, JETTY_RAW, APACHE_RAW);

    static final Set<Contender> ENCODED = EnumSet.of(
            WEBCLIENT_FILTER,
            WEBCLIENT_FILTER_256,
            HTTPCLIENT_BYTEBUFS,
            WEBCLIENT_JOINED,
            JDK_FILTER,
            JDK_JOINED,
            JETTY_FILTER,
            JETTY_JOINED,
            APACHE_FILTER,
            APACHE_JOINED);

    private static final Set<Contender> OBJECTS_COUNTED =
            EnumSet.of(WEBCLIENT_FILTER, WEBCLIENT_FILTER_256, HTTPCLIENT_BYTEBUFS, SDK_SCHEME);

    /** How it gets ready to upload. */
    interface Connecting {
        Upload connect(Setting setting) throws Exception;
    }

    final String title;
    private final Connecting connecting;

    Contender(String title, Connecting connecting) {
        this.title = title;
        this.connecting = connecting;
    }

    Upload connect(Setting setting) throws Exception {
        return connecting.connect(setting);
    }

    /** The library's, each of them, which takes as long as many uploads where buffers are small: only for those with a bar. */
    boolean hasItsObjectsCounted() {
        return OBJECTS_COUNTED.contains(this);
    }

    /** The SDK has no setting for the size of records, and the CRT brings its own TLS; other connectors are not set up for it. */
    boolean runs(Over over) {
        return switch (this) {
            case SDK, SDK_SCHEME -> over != Over.TLS_WHOLE_RECORDS;
            case JDK_RAW,
                    JDK_FILTER,
                    JDK_JOINED,
                    JETTY_RAW,
                    JETTY_FILTER,
                    JETTY_JOINED,
                    APACHE_RAW,
                    APACHE_FILTER,
                    APACHE_JOINED -> !over.encrypted();
            default -> true;
        };
    }
}
