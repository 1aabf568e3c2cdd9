package io.github.reslice.servers;

@OnServer(Peer.EXTERNAL)
class ExternalResliceSchemeMultipartTest extends ResliceSchemeMultipartSuite {}
