package io.github.reslice.servers;

@OnServer(Peer.S3PROXY)
class S3ProxyResliceSchemeTest extends ResliceSchemeSuite {}
