package io.github.reslice.spring;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Counts the TLS records with application data that come in; stands before the handler that decrypts them. */
final class TlsRecordCounter extends ChannelInboundHandlerAdapter {

    private static final int HEADER = 5; // type, two bytes of version, two of length
    private static final int APPLICATION_DATA = 23;

    private long header;
    private int headerBytes;
    private int left;
    private long records;

    long records() {
        return records;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        int at = in.readerIndex();
        while (at < in.writerIndex()) {
            if (left > 0) {
                int skipped = Math.min(left, in.writerIndex() - at);
                left -= skipped;
                at += skipped;
            } else {
                headerByte(in.getUnsignedByte(at++));
            }
        }
        context.fireChannelRead(message);
    }

    private void headerByte(int value) {
        header = header << 8 | value;
        if (++headerBytes == HEADER) {
            left = (int) (header & 0xffff);
            if (header >>> 32 == APPLICATION_DATA) {
                records++;
            }
            header = 0;
            headerBytes = 0;
        }
    }
}
