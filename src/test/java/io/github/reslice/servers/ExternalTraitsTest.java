package io.github.reslice.servers;

@OnServer(Peer.EXTERNAL)
class ExternalTraitsTest extends ServerTraitsSuite {}
