package io.github.reslice.awschunked;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.awschunked.ReferenceDecoder.Body;
import io.github.reslice.awschunked.ReferenceDecoder.Malformed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReferenceDecoderTest {

    @Test
    void readsChunksAndTrailer() {
        Body body = decode("b\r\nhello world\r\n2\r\n\r\n\r\n0\r\nx-amz-checksum-crc32:DUoRhQ==\r\na:b:c\r\n\r\n");

        assertThat(body.payload()).isEqualTo("hello world\r\n".getBytes(US_ASCII));
        assertThat(body.chunkSizes()).containsExactly(11, 2);
        assertThat(body.signatures()).isEmpty();
        assertThat(body.trailers().toString()).isEqualTo("{x-amz-checksum-crc32=DUoRhQ==, a=b:c}");
    }

    @Test
    void readsTheEmptyBody() {
        Body body = decode("0\r\n\r\n");

        assertThat(body.payload()).isEmpty();
        assertThat(body.chunkSizes()).isEmpty();
        assertThat(body.trailers()).isEmpty();
    }

    @Test
    void readsChunkSignatures() {
        String signature = "0f".repeat(32);
        Body body = decode("1;chunk-signature=" + signature + "\r\na\r\n0;chunk-signature=ab**\r\n\r\n");

        assertThat(body.signatures()).containsExactly(signature, "ab**");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0\r\n",
                "0\r\n\r",
                "0\r\n\n",
                "0\n\r\n",
                "0\r\n\r\nx",
                "0\r\n\r\n0\r\n\r\n",
                "00\r\n\r\n",
                "01\r\na\r\n0\r\n\r\n",
                "A\r\n0123456789\r\n0\r\n\r\n",
                "80000000\r\na\r\n0\r\n\r\n",
                "-1\r\na\r\n0\r\n\r\n",
                "1\r\na\r\n",
                "1\r\nab\r\n0\r\n\r\n",
                "2\r\na\r\n0\r\n\r\n",
                "9\r\na\r\n0\r\n\r\n",
                "1;x=y\r\na\r\n0\r\n\r\n",
                "0\r\na: b\r\n\r\n",
                "0\r\nA:b\r\n\r\n",
                "0\r\n:b\r\n\r\n",
                "0\r\nab\r\n\r\n",
                "0\r\na:b\r\na:b\r\n\r\n",
                "0\r\na:b\r\n",
                "0\r\na:b\n\r\n\r\n",
            })
    void refusesWhatIsNotABody(String wire) {
        assertThatThrownBy(() -> decode(wire)).isInstanceOf(Malformed.class);
    }

    private static Body decode(String wire) {
        return ReferenceDecoder.decode(wire.getBytes(US_ASCII));
    }
}
