package io.github.reslice.samples.quickstart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import reactor.core.publisher.Flux;

/**
 * What is uploaded. Each subscription reads it from the start, into buffers of its own.
 *
 * @param name what to call it
 * @param length its bytes
 * @param bytes the stream
 */
record Payload(String name, long length, Flux<ByteBuffer> bytes) {

    private static final int BUFFER_SIZE = 16 * 1024;

    static Payload ofFile(Path file) throws IOException {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new IllegalArgumentException("There is no file to read at " + file);
        }
        Flux<ByteBuffer> bytes = Flux.generate(
                () -> FileChannel.open(file, StandardOpenOption.READ),
                (channel, sink) -> {
                    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_SIZE);
                    try {
                        if (channel.read(buffer) < 0) {
                            sink.complete();
                        } else {
                            sink.next(buffer.flip());
                        }
                    } catch (IOException e) {
                        sink.error(e);
                    }
                    return channel;
                },
                Payload::close);
        return new Payload(file.toString(), Files.size(file), bytes);
    }

    static Payload generated(long length) {
        long buffers = (length + BUFFER_SIZE - 1) / BUFFER_SIZE;
        Flux<ByteBuffer> bytes = Flux.generate(() -> 0L, (index, sink) -> {
            if (index == buffers) {
                sink.complete();
            } else {
                byte[] buffer = new byte[(int) Math.min(BUFFER_SIZE, length - index * BUFFER_SIZE)];
                new SplittableRandom(index).nextBytes(buffer);
                sink.next(ByteBuffer.wrap(buffer));
            }
            return index + 1;
        });
        return new Payload("a generated stream", length, bytes);
    }

    private static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
