package io.github.reslice.servers;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TamperingProxyTest {

    private static final String BODY = "chunk chunk: 0123456789".repeat(1000);

    private final RecordingServer server = RecordingServer.answering(Answer.status(200));

    TamperingProxyTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void changesOneByteOfTheBody() throws IOException {
        try (TamperingProxy proxy = TamperingProxy.before(server.endpoint(), Fault.changeBodyByte(10_000))) {
            assertThat(put(proxy).status()).isEqualTo(200);

            byte[] expected = BODY.getBytes(US_ASCII);
            expected[10_000] = (byte) (expected[10_000] == '0' ? '1' : '0');
            assertThat(received()).isEqualTo(expected);
            assertThat(proxy.faults()).isOne();
        }
    }

    @Test
    void changesOneByteBehindATextThatBeginsTwice() throws IOException {
        try (TamperingProxy proxy = TamperingProxy.before(server.endpoint(), Fault.changeByteAfter("chunk: ", 1))) {
            put(proxy);

            assertThat(new String(received(), US_ASCII)).isEqualTo(BODY.replaceFirst("01", "00"));
            assertThat(proxy.faults()).isOne();
        }
    }

    @Test
    void changesEachConnectionAnew() throws IOException {
        try (TamperingProxy proxy = TamperingProxy.before(server.endpoint(), Fault.changeBodyByte(0))) {
            put(proxy);
            put(proxy);

            assertThat(proxy.faults()).isEqualTo(2);
        }
    }

    @Test
    void changesOneByteOfAnAnswer() throws IOException {
        try (RecordingServer answering =
                        RecordingServer.answering(Answer.status(200).body("text/plain", "0123456789"));
                TamperingProxy proxy = TamperingProxy.behind(answering.endpoint(), Fault.changeBodyByte(5))) {
            assertThat(new String(put(proxy).body(), US_ASCII)).isEqualTo("0123406789");

            assertThat(new String(answering.requests().get(0).body(), US_ASCII)).isEqualTo(BODY);
            assertThat(proxy.faults()).isOne();
        }
    }

    @Test
    void doesAFaultToTheFirstConnectionAlone() throws IOException {
        try (TamperingProxy proxy = TamperingProxy.before(server.endpoint(), Fault.once(Fault.cutAfter(5000)))) {
            assertThatThrownBy(() -> put(proxy)).isInstanceOf(IOException.class);
            assertThat(put(proxy).status()).isEqualTo(200);

            assertThat(proxy.faults()).isOne();
        }
    }

    @Test
    void cutsBothConnections() throws IOException {
        try (TamperingProxy proxy = TamperingProxy.before(server.endpoint(), Fault.cutAfter(5000))) {
            assertThatThrownBy(() -> put(proxy)).isInstanceOf(IOException.class);

            assertThat(proxy.faults()).isOne();
        }
    }

    @Test
    void delaysAndChangesNothing() throws IOException {
        try (TamperingProxy proxy = TamperingProxy.before(server.endpoint(), Fault.delay(Duration.ofMillis(1)))) {
            assertThat(put(proxy).status()).isEqualTo(200);

            assertThat(new String(received(), US_ASCII)).isEqualTo(BODY);
            assertThat(proxy.faults()).isPositive();
        }
    }

    private static RawHttp.Response put(TamperingProxy proxy) throws IOException {
        return RawHttp.send(
                "PUT",
                proxy.endpoint().resolve("/k"),
                Map.of("Content-Length", "" + BODY.length()),
                BODY.getBytes(US_ASCII));
    }

    private byte[] received() {
        return server.requests().get(0).body();
    }
}
