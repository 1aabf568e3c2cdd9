package io.github.reslice.benchmarks.uploads;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/** As much of HTTP/1.1 as it takes: requests one after the other, bodies with a Content-Length. */
final class Discarding extends ChannelInboundHandlerAdapter {

    private static final String END_OF_HEAD = "\r\n\r\n";
    private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *(\\d+)");
    private static final Pattern EXPECTS_CONTINUE = Pattern.compile("(?im)^expect: *100-continue");

    private final LongSupplier records;
    private final StringBuilder head = new StringBuilder();
    private final CRC32C checksum = new CRC32C();
    private long length;
    private long left;
    private long recordsBefore;

    /** {@code records} tells how many have come on this connection. */
    Discarding(LongSupplier records) {
        this.records = records;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        try {
            while (in.isReadable()) {
                if (left > 0) {
                    readBody(context, in);
                } else {
                    readHead(context, in);
                }
            }
        } finally {
            in.release();
        }
    }

    private void readHead(ChannelHandlerContext context, ByteBuf in) {
        head.append((char) in.readUnsignedByte());
        if (head.length() < END_OF_HEAD.length() || head.lastIndexOf(END_OF_HEAD) != head.length() - 4) {
            return;
        }
        Matcher contentLength = LENGTH.matcher(head);
        length = contentLength.find() ? Long.parseLong(contentLength.group(1)) : 0;
        left = length;
        if (EXPECTS_CONTINUE.matcher(head).find()) {
            answer(context, "HTTP/1.1 100 Continue" + END_OF_HEAD);
        }
        head.setLength(0);
        if (left == 0) {
            receipt(context);
        }
    }

    private void readBody(ChannelHandlerContext context, ByteBuf in) {
        int size = (int) Math.min(left, in.readableBytes());
        checksum.update(in.nioBuffer(in.readerIndex(), size));
        in.skipBytes(size);
        left -= size;
        if (left == 0) {
            receipt(context);
        }
    }

    private void receipt(ChannelHandlerContext context) {
        long now = records.getAsLong();
        Receipt receipt = new Receipt(length, Long.toHexString(checksum.getValue()), now - recordsBefore);
        recordsBefore = now;
        checksum.reset();
        answer(context, "HTTP/1.1 200 OK\r\nETag: " + receipt + "\r\nContent-Length: 0" + END_OF_HEAD);
    }

    private static void answer(ChannelHandlerContext context, String text) {
        context.writeAndFlush(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close(); // the client says why
    }
}
