package io.github.reslice.servers;

@OnServer(Peer.S3PROXY)
class S3ProxyAwsSdkTest extends AwsSdkSuite {}
