package io.github.reslice.servers;

@OnServer(Peer.EXTERNAL)
class ExternalAwsSdkTest extends AwsSdkSuite {}
