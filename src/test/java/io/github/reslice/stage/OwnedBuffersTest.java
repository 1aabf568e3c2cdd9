package io.github.reslice.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** What an operator over a kind of buffer discards is released, or goes to the receiver's hook instead. */
class OwnedBuffersTest {

    private final List<String> released = new ArrayList<>();
    private final List<String> discarded = new ArrayList<>();
    private final TestPublisher<String> upstream =
            TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);
    private final Flux<String> body = upstream.flux().transform(owning(new Texts()));

    private static Function<Flux<String>, Flux<String>> owning(BufferKind<String> kind) {
        return Stage.operator(kind, Splitter::new);
    }

    @Test
    void releasesTheRestOnCancel() {
        StepVerifier.create(body, 1)
                .then(() -> upstream.next("abc"))
                .expectNext("a")
                .thenCancel()
                .verify();

        assertThat(released).containsExactly("bc");
    }

    @Test
    void releasesTheRestOnError() {
        StepVerifier.create(body, 1)
                .then(() -> upstream.next("abc"))
                .expectNext("a")
                .then(() -> upstream.error(new Boom()))
                .verifyError(Boom.class);

        assertThat(released).containsExactly("bc");
    }

    @Test
    void releasesWhatComesAfterACancel() {
        Flux<String> late = Flux.from(subscriber -> {
            subscriber.onSubscribe(new CountedSubscription(new AtomicInteger()));
            subscriber.onNext("abc");
        });

        late.transform(owning(new Texts())).subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                cancel();
            }
        });

        assertThat(released).containsExactly("abc");
    }

    @Test
    void releasesWhatItDidNotAskFor() {
        StepVerifier.create(body, 0)
                .then(() -> upstream.next("abc", "def"))
                .verifyErrorMatches(e -> e instanceof IllegalStateException);

        assertThat(released).containsExactlyInAnyOrder("abc", "def");
    }

    @Test
    void releasesNothingThatWasGiven() {
        StepVerifier.create(body)
                .then(() -> upstream.next("ab"))
                .expectNext("a", "b")
                .then(upstream::complete)
                .verifyComplete();

        assertThat(released).isEmpty();
    }

    @Test
    void leavesItToTheReceiversHookIfThereIsOne() {
        StepVerifier.create(body.doOnDiscard(String.class, discarded::add), 1)
                .then(() -> upstream.next("abc"))
                .expectNext("a")
                .thenCancel()
                .verify();

        assertThat(discarded).containsExactly("bc");
        assertThat(released).isEmpty();
    }

    @Test
    void dropsAnErrorOfARelease() {
        Function<Flux<String>, Flux<String>> failing = owning(new Texts() {
            @Override
            public void release(String buffer) {
                throw new Boom();
            }
        });

        List<Throwable> dropped = new ArrayList<>();
        Hooks.onErrorDropped(dropped::add);
        try {
            StepVerifier.create(upstream.flux().transform(failing), 1)
                    .then(() -> upstream.next("abc"))
                    .expectNext("a")
                    .thenCancel()
                    .verify();
        } finally {
            Hooks.resetOnErrorDropped();
        }

        assertThat(dropped).singleElement().isInstanceOf(Boom.class);
    }

    @Test
    void refusesAMissingKindWhenBuilt() {
        assertThatNullPointerException().isThrownBy(() -> owning(null)).withMessage("kind");
    }

    /** Texts for buffers, of which nothing but the release is looked at. */
    private class Texts implements BufferKind<String> {

        @Override
        public int start(String buffer) {
            return 0;
        }

        @Override
        public int end(String buffer) {
            return buffer.length();
        }

        @Override
        public Object memory(String buffer) {
            return buffer;
        }

        @Override
        public int footprint(String buffer) {
            return buffer.length();
        }

        @Override
        public boolean splits() {
            return true;
        }

        @Override
        public String take(String buffer, int from, int length) {
            return buffer.substring(from, from + length);
        }

        @Override
        public void read(String buffer, int from, int length, Reader reader) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String wrap(ByteBuffer bytes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void release(String buffer) {
            released.add(buffer);
        }
    }
}
