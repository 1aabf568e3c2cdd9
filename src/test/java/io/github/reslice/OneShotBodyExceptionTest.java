package io.github.reslice;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.IllegalReferenceCountException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import reactor.core.Exceptions;

class OneShotBodyExceptionTest {

    @Test
    void explainsWhatAUsedSourceSays() {
        assertThat(new Exception[] {
                    new IllegalStateException("allows only a single Subscriber"),
                    new IllegalReferenceCountException(0),
                    new ClosedChannelException(),
                    new IOException("Stream closed"),
                    new IOException("Stream Closed"),
                })
                .allMatch(OneShotBodyException::explains);
    }

    @Test
    void doesNotExplainWhatFailsForAnotherReason() {
        class ConnectionClosed extends ClosedChannelException {
            private static final long serialVersionUID = 1L;
        }

        assertThat(new Throwable[] {
                    new CancellationException(),
                    Exceptions.failWithOverflow(),
                    Exceptions.retryExhausted("3 times", new IOException("gone")),
                    new ConnectionClosed(),
                    new IOException("gone"),
                    new IOException(),
                    new IllegalArgumentException(),
                })
                .noneMatch(OneShotBodyException::explains);
    }

    @Test
    void namesACauseThatSaysNothing() {
        assertThat(new OneShotBodyException(new ClosedChannelException()))
                .hasMessageContaining("ClosedChannelException")
                .hasCauseInstanceOf(ClosedChannelException.class);
    }
}
