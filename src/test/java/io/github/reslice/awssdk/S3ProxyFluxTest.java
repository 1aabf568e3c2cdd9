package io.github.reslice.awssdk;

import io.github.reslice.servers.OnServer;
import io.github.reslice.servers.Peer;

/** Without parts: s3proxy answers 501 to a header of the SDK's multipart uploads. */
@OnServer(Peer.S3PROXY)
class S3ProxyFluxTest extends FluxSuite {}
