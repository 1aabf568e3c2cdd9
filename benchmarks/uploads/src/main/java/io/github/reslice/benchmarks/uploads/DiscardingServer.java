package io.github.reslice.benchmarks.uploads;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** Takes every PUT, throws its body away, and answers with a {@link Receipt}. A process of its own. */
final class DiscardingServer {

    private static final int READ_SIZE = 256 * 1024;

    private DiscardingServer() {}

    public static void main(String... args) throws Exception {
        SslContext tls = Tls.server(Path.of(args[0]));
        MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_SIZE));
        int plain = bind(bootstrap, new Connections(null));
        int encrypted = bind(bootstrap, new Connections(tls));
        Child.answer(plain + " " + encrypted);
        Child.untilClosed();
        System.exit(0);
    }

    private static int bind(ServerBootstrap bootstrap, Connections connections) {
        Channel channel = bootstrap
                .clone()
                .childHandler(connections)
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    private static final class Connections extends ChannelInitializer<Channel> {

        private final SslContext tls;

        Connections(SslContext tls) {
            this.tls = tls;
        }

        @Override
        protected void initChannel(Channel channel) {
            RecordCounter counter = new RecordCounter();
            if (tls != null) {
                channel.pipeline().addLast(counter, tls.newHandler(channel.alloc()));
            }
            channel.pipeline().addLast(new Discarding(counter::records));
        }
    }
}
