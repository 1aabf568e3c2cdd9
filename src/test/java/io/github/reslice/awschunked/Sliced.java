package io.github.reslice.awschunked;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import reactor.core.publisher.Flux;

/**
 * A payload cut into buffers of all forms: on the heap, direct, read-only, with an offset, empty ones between. It
 * remembers how they were, and has a writable way to their memory.
 *
 * <pre>{@code
 * Sliced sliced = Sliced.atRandom(payload, random);
 * List<ByteBuffer> pieces = sliced.flux().transform(chunked.encode(payload.length)).collectList().block();
 * sliced.assertUntouched();
 * byte[] wire = Sliced.join(pieces);
 * }</pre>
 */
public final class Sliced {

    private enum Form {
        HEAP,
        HEAP_READ_ONLY,
        HEAP_SLICE,
        DIRECT,
        DIRECT_READ_ONLY,
        DIRECT_SLICE
    }

    private final byte[] payload;
    private final List<ByteBuffer> buffers = new ArrayList<>();
    private final List<ByteBuffer> memory = new ArrayList<>();
    private final List<int[]> bounds = new ArrayList<>();

    private Sliced(byte[] payload) {
        this.payload = payload;
    }

    /** Buffers of {@code size} bytes on the heap, the last one shorter. */
    public static Sliced bySize(byte[] payload, int size) {
        Sliced sliced = new Sliced(payload);
        for (int from = 0; from < payload.length; from += size) {
            sliced.add(Form.HEAP, from, Math.min(size, payload.length - from), 0, 0);
        }
        return sliced;
    }

    /** Buffers of random sizes and forms: all in one, of a byte each, or anything between. */
    public static Sliced atRandom(byte[] payload, Random random) {
        Sliced sliced = new Sliced(payload);
        Form[] forms = Form.values();
        int most =
                switch (random.nextInt(4)) {
                    case 0 -> 1 + payload.length;
                    case 1 -> Math.max(1 + random.nextInt(8), payload.length / 2000);
                    default -> 1 + random.nextInt(1 + Math.max(payload.length, 64));
                };
        for (int from = 0; from < payload.length; ) {
            int length = random.nextInt(8) == 0 ? 0 : Math.min(1 + random.nextInt(most), payload.length - from);
            sliced.add(forms[random.nextInt(forms.length)], from, length, random.nextInt(20), random.nextInt(20));
            from += length;
        }
        for (int empty = random.nextInt(3); empty > 0; empty--) {
            sliced.add(forms[random.nextInt(forms.length)], payload.length, 0, random.nextInt(20), 0);
        }
        return sliced;
    }

    private void add(Form form, int from, int length, int before, int after) {
        boolean direct = form.name().startsWith("DIRECT");
        int capacity = before + length + after;
        ByteBuffer original = direct ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
        original.put(before, payload, from, length);
        ByteBuffer buffer = form.name().endsWith("SLICE")
                ? original.slice(before, length)
                : original.duplicate().limit(before + length).position(before);
        buffers.add(form.name().endsWith("READ_ONLY") ? buffer.asReadOnlyBuffer() : buffer);
        memory.add(original.slice(before, length));
        bounds.add(new int[] {buffer.position(), buffer.limit()});
    }

    public List<ByteBuffer> buffers() {
        return List.copyOf(buffers);
    }

    public Flux<ByteBuffer> flux() {
        return Flux.fromIterable(buffers);
    }

    /** Position, limit and content of every buffer are as they were. */
    public void assertUntouched() {
        for (int i = 0; i < buffers.size(); i++) {
            ByteBuffer buffer = buffers.get(i);
            assertThat(new int[] {buffer.position(), buffer.limit()}).isEqualTo(bounds.get(i));
        }
        assertThat(join(memory)).isEqualTo(payload);
    }

    /** Inverts every byte in the buffers' memory; who has copied it does not see that. */
    public void invert() {
        for (ByteBuffer bytes : memory) {
            for (int i = 0; i < bytes.limit(); i++) {
                bytes.put(i, (byte) ~bytes.get(i));
            }
        }
    }

    /** The bytes of many buffers in a row, read without touching them. */
    public static byte[] join(Iterable<ByteBuffer> buffers) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (ByteBuffer buffer : buffers) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(buffer.position(), bytes);
            joined.writeBytes(bytes);
        }
        return joined.toByteArray();
    }
}
