package io.github.reslice.benchmarks.uploads;

import io.github.reslice.awssdk.ResliceAuthScheme;
import software.amazon.awssdk.crt.CRT;

/** Who uploads. */
enum Contender {
    BARE_CHECKSUM("the checksum alone, no upload") {
        @Override
        Upload connect(Setting setting) {
            return new BareChecksum(setting.body(), setting.checksum());
        }
    },
    WEBCLIENT_RAW("WebClient, the raw body") {
        @Override
        Upload connect(Setting setting) throws Exception {
            return WebClientUpload.raw(setting);
        }
    },
    WEBCLIENT_FILTER("WebClient with S3ExchangeFilter") {
        @Override
        Upload connect(Setting setting) throws Exception {
            return WebClientUpload.filtered(setting);
        }
    },
    HTTPCLIENT_RAW("HttpClient, the raw body") {
        @Override
        Upload connect(Setting setting) throws Exception {
            return HttpClientUpload.raw(setting);
        }
    },
    HTTPCLIENT_BYTEBUFS("HttpClient with ByteBufs") {
        @Override
        Upload connect(Setting setting) throws Exception {
            return HttpClientUpload.encoded(setting);
        }
    },
    SDK("S3AsyncClient, Netty") {
        @Override
        Upload connect(Setting setting) throws Exception {
            return SdkUpload.over(SdkUpload.netty(setting).build(), setting);
        }
    },
    SDK_SCHEME("S3AsyncClient with ResliceAuthScheme") {
        @Override
        Upload connect(Setting setting) throws Exception {
            return SdkUpload.over(
                    SdkUpload.netty(setting)
                            .putAuthScheme(ResliceAuthScheme.create())
                            .build(),
                    setting);
        }
    },
    CRT_CLIENT("S3AsyncClient, CRT") {
        @Override
        Upload connect(Setting setting) {
            return SdkUpload.over(SdkUpload.crt(setting), setting);
        }

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
    };

    final String title;

    Contender(String title) {
        this.title = title;
    }

    abstract Upload connect(Setting setting) throws Exception;

    boolean encodesByReslice() {
        return this == WEBCLIENT_FILTER || this == HTTPCLIENT_BYTEBUFS || this == SDK_SCHEME;
    }

    /** The SDK has no setting for the size of records; the CRT brings its own TLS. */
    boolean runs(Over over) {
        return over != Over.TLS_WHOLE_RECORDS || (this != SDK && this != SDK_SCHEME);
    }
}
