package io.github.reslice.servers;

@OnServer(Peer.S3PROXY)
class S3ProxyResliceSchemeMultipartTest extends ResliceSchemeMultipartSuite {}
