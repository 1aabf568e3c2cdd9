package io.github.reslice.servers;

@OnServer(Peer.S3MOCK)
class S3MockResliceSchemeMultipartTest extends ResliceSchemeMultipartSuite {}
