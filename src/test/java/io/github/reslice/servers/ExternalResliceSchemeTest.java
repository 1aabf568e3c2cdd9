package io.github.reslice.servers;

@OnServer(Peer.EXTERNAL)
class ExternalResliceSchemeTest extends ResliceSchemeSuite {}
