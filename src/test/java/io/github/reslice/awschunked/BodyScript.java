package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Builds a body that gets past every check, signatures too, and then damages it, as an input of the fuzzer says:
 *
 * <pre>
 * 1 byte       number of chunks
 * 3 bytes      for each: size, style of its header, content
 * 1 byte       style of the last header
 * 2 bytes      style of the trailers, and what is wrong with them
 * 4 bytes      each time until the end: a change, its place in two bytes, a value
 * </pre>
 *
 * <p>Zeros are right: they give a good body.
 */
final class BodyScript {

    private static final int[] SIZES = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63, 64, 65, 100, 1023, 1024, 1025, 3000};
    private static final int MOST_CHANGES = 8;
    private static final byte[] TELLING = "\r\n0+;: \tafF-1=\0\u00ff".getBytes(ISO_8859_1);

    private final InputBytes input;
    private final SortedSet<String> announced;
    private final @Nullable PlainChunkSigner signer;
    private final ByteArrayOutputStream wire = new ByteArrayOutputStream();
    private final ByteArrayOutputStream payload = new ByteArrayOutputStream();
    private final byte[] damaged;

    BodyScript(InputBytes input, SortedSet<String> announced, @Nullable PlainChunkSigner signer, Mode mode) {
        this.input = input;
        this.announced = announced;
        this.signer = signer;
        for (int chunks = input.next() % 6; chunks > 0; chunks--) {
            chunk(input.oneOf(SIZES));
        }
        header(new byte[0]);
        trailers(mode == Mode.SIGNED_WITH_TRAILER);
        text("\r\n");
        damaged = damage(wire.toByteArray());
    }

    byte[] wire() {
        return damaged;
    }

    int payloadLength() {
        return payload.size();
    }

    private void chunk(int size) {
        int style = input.next();
        byte[] data = new byte[size];
        for (int i = 0, first = input.next(); i < size; i++) {
            data[i] = (byte) (first + i);
        }
        header(data, style);
        wire.writeBytes(data);
        text("\r\n");
        payload.writeBytes(data);
    }

    private void header(byte[] data) {
        header(data, input.next());
    }

    private void header(byte[] data, int style) {
        String digits = Integer.toHexString(data.length);
        int zeros =
                new int[] {0, 0, 1, 15 - digits.length(), 16 - digits.length(), 17 - digits.length()}[(style & 7) % 6];
        String size =
                new String[] {"", "", "", "+", "-", " ", "0x", "\u00b2"}[style >> 3 & 7] + "0".repeat(zeros) + digits;
        text((style & 64) != 0 ? size.toUpperCase(Locale.ROOT) : size);
        if (signer != null) {
            String signature = signer.chunk(data);
            text(";chunk-signature=" + ((style & 128) != 0 ? signature.toUpperCase(Locale.ROOT) : signature));
        }
        text("\r\n");
    }

    private void trailers(boolean signed) {
        int style = input.next();
        int wrong = input.next();
        TreeMap<String, String> values = new TreeMap<>();
        for (String name : announced) {
            values.put(name, value(name));
        }
        ArrayList<String> names = new ArrayList<>(announced);
        if ((style & 1) != 0) {
            Collections.reverse(names);
        }
        if ((wrong & 1) != 0 && !names.isEmpty()) {
            values.remove(names.remove(0));
        }
        if ((wrong & 2) != 0 && !names.isEmpty()) {
            values.put(names.get(0), "AAAAAA==");
        }
        if ((wrong & 4) != 0 && !names.isEmpty()) {
            names.add(names.get(0));
        }
        if ((wrong & 8) != 0) {
            names.add("x-other");
            values.put("x-other", "1");
        }
        names.forEach(name -> trailer(name, values.get(name), style));
        if (signed) {
            StringBuilder lines = new StringBuilder();
            values.forEach((name, value) ->
                    lines.append(name).append(':').append(value).append('\n'));
            String signature = signer == null ? "" : signer.trailer(lines.toString());
            for (int times = (wrong & 16) != 0 ? 2 : (wrong & 32) != 0 ? 0 : 1; times > 0; times--) {
                trailer("x-amz-trailer-signature", signature, style);
            }
        }
        if ((wrong & 64) != 0 && !names.isEmpty()) {
            trailer(names.get(0), values.get(names.get(0)), style);
        }
    }

    private String value(String name) {
        return switch (name) {
            case "x-note" -> "a b";
            case "x-amz-meta-b" -> "";
            default -> PlainDecoder.checksum(name, payload.toByteArray());
        };
    }

    private void trailer(String name, String value, int style) {
        text((style & 2) != 0 ? name.toUpperCase(Locale.ROOT) : name);
        text(((style & 4) != 0 ? "\t " : "") + ":" + ((style & 8) != 0 ? " \t" : ""));
        text(value + ((style & 16) != 0 ? " " : "") + ((style & 32) != 0 ? "\n\r\n" : "\r\n"));
    }

    private void text(String text) {
        wire.writeBytes(text.getBytes(ISO_8859_1));
    }

    private byte[] damage(byte[] body) {
        byte[] bytes = body;
        for (int changes = 0; changes < MOST_CHANGES && !input.isEmpty(); changes++) {
            int change = input.next();
            int place = input.next() << 8 | input.next();
            int from = (change & 8) != 0 ? Math.max(0, bytes.length - place) : Math.min(place, bytes.length);
            bytes = changed(bytes, change & 7, from, input.next());
        }
        return bytes;
    }

    private static byte[] changed(byte[] bytes, int change, int from, int value) {
        byte telling = TELLING[value % TELLING.length];
        int to = Math.min(bytes.length, from + 1);
        int end = Math.min(bytes.length, from + value);
        return switch (change) {
            case 0 -> spliced(bytes, from, to, (byte) value);
            case 1 -> spliced(bytes, from, to, telling);
            case 2 -> spliced(bytes, from, from, telling);
            case 3 -> spliced(bytes, from, to, to == from ? 0 : (byte) (bytes[from] ^ 1 << value % 8));
            case 4 -> spliced(bytes, from, end);
            case 5 -> spliced(bytes, from, from, Arrays.copyOfRange(bytes, from, end));
            case 6 -> Arrays.copyOf(bytes, from);
            default -> spliced(bytes, bytes.length, bytes.length, Arrays.copyOfRange(bytes, from, end));
        };
    }

    private static byte[] spliced(byte[] bytes, int from, int to, byte... between) {
        byte[] spliced = new byte[from + between.length + bytes.length - to];
        System.arraycopy(bytes, 0, spliced, 0, from);
        System.arraycopy(between, 0, spliced, from, between.length);
        System.arraycopy(bytes, to, spliced, from + between.length, bytes.length - to);
        return spliced;
    }
}
