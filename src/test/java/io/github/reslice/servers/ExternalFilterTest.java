package io.github.reslice.servers;

import org.junit.jupiter.api.Nested;

@OnServer(Peer.EXTERNAL)
class ExternalFilterTest {

    @Nested
    class Uploads extends UploadSuite {}

    @Nested
    class Refusals extends RefusalSuite {}

    @Nested
    class SignedBodies extends SignedBodySuite {}

    @Nested
    class Keys extends KeySuite {}

    @Nested
    class ExchangesWithTheSdk extends SdkExchangeSuite {}

    @Nested
    class Requests extends RequestSuite {}
}
