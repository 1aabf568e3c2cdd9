package io.github.reslice.examples;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.stage.Stage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

class LengthPrefixTest {

    private static final String MARKER = "<!-- snippet: stage -->\n```java\n";

    @Test
    void putsEachBuffersSizeInFrontOfIt() {
        List<ByteBuffer> pieces = Flux.just(ascii("abc"), ascii("d"))
                .transform(Stage.operator(LengthPrefix::new))
                .collectList()
                .block();

        assertThat(pieces.stream().map(LengthPrefixTest::text)).containsExactly("\0\0\0\3", "abc", "\0\0\0\1", "d");
    }

    @Test
    void givesThePrefixAloneToADemandOfOneAndDiscardsTheBuffer() {
        ByteBuffer buffer = ascii("abc");
        List<Object> discarded = new ArrayList<>();

        ByteBuffer first = Flux.just(buffer)
                .transform(Stage.operator(LengthPrefix::new))
                .doOnDiscard(ByteBuffer.class, discarded::add)
                .blockFirst();

        assertThat(text(first)).isEqualTo("\0\0\0\3");
        assertThat(discarded).singleElement().isSameAs(buffer);
    }

    @Test
    void discardsNoPrefixThatNobodyReceived() {
        ByteBuffer buffer = ascii("abc");
        List<Object> discarded = new ArrayList<>();
        BaseSubscriber<ByteBuffer> receiver = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                request(1);
            }
        };
        Flux.just(ascii("d"), buffer)
                .transform(Stage.operator(LengthPrefix::new))
                .doOnDiscard(ByteBuffer.class, discarded::add)
                .subscribe(receiver);

        receiver.request(2); // "d" and a prefix; the source is complete by then
        receiver.cancel();

        assertThat(discarded).singleElement().isSameAs(buffer);
    }

    @Test
    void standsInTheJavadocAsItIsHere() throws IOException {
        String javadoc = Files.readString(Path.of("src/main/java/io/github/reslice/stage/Stage.java"));
        int start = javadoc.indexOf(" * final class LengthPrefix");
        int end = javadoc.indexOf(" * }</pre>", start);

        String shown = javadoc.substring(start, end)
                .lines()
                .map(line -> line.replaceFirst("^ \\* ?", ""))
                .collect(joining("\n"));

        assertThat(shown).startsWith(source() + "\n\n");
    }

    @Test
    void standsInTheReadmeAsItIsHere() throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        assertThat(readme).contains(MARKER);

        assertThat(readme.substring(readme.indexOf(MARKER) + MARKER.length())).startsWith(source() + "\n");
    }

    /** The class without what stands above it. */
    private static String source() throws IOException {
        String file = Files.readString(Path.of("src/test/java/io/github/reslice/examples/LengthPrefix.java"));
        return file.substring(file.indexOf("final class")).strip();
    }

    private static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(text.getBytes(US_ASCII));
    }

    private static String text(ByteBuffer buffer) {
        return US_ASCII.decode(buffer.duplicate()).toString();
    }
}
