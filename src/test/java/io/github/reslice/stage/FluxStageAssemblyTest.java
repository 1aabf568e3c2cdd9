package io.github.reslice.stage;

import static io.github.reslice.stage.Enclosed.enclose;
import static io.github.reslice.stage.PassThrough.passThrough;
import static io.github.reslice.stage.Splitter.split;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Scannable;
import reactor.core.observability.DefaultSignalListener;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.test.StepVerifier;
import reactor.test.publisher.PublisherProbe;
import reactor.test.publisher.TestPublisher;
import reactor.util.context.Context;
import reactor.util.function.Tuples;

/** The operator among others: how it is built, and what crosses it. */
class FluxStageAssemblyTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    @AfterEach
    void resetHooks() {
        Hooks.resetOnEachOperator();
    }

    @Test
    void refusesNoSupplier() {
        assertThatNullPointerException().isThrownBy(() -> Stage.operator(null)).withMessage("stages");
    }

    @Test
    void failsTheSubscriptionWhenTheSupplierThrows() {
        PublisherProbe<String> probe = PublisherProbe.of(Flux.just("a"));

        StepVerifier.create(probe.flux().transform(Stage.<String, String>operator(() -> {
                    throw new Boom();
                })))
                .expectError(Boom.class)
                .verify(SOON);

        probe.assertWasNotSubscribed();
    }

    @Test
    void failsTheSubscriptionWhenTheSupplierGivesNothing() {
        StepVerifier.create(Flux.just("a").transform(Stage.<String, String>operator(() -> null)))
                .expectErrorMatches(
                        e -> e instanceof NullPointerException && e.getMessage().equals("the supplier gave no stage"))
                .verify(SOON);
    }

    @Test
    void givesEverySubscriptionAStageOfItsOwn() {
        Flux<String> enclosed = Flux.just("a").transform(enclose());

        for (int i = 0; i < 2; i++) {
            StepVerifier.create(enclosed)
                    .expectNext("(", "a", ")")
                    .expectComplete()
                    .verify(SOON);
        }
    }

    @Test
    void startsFreshOnRetry() {
        AtomicInteger attempts = new AtomicInteger();
        Flux<String> failsOnce = Flux.defer(() -> attempts.getAndIncrement() == 0
                ? Flux.just("a").concatWith(Flux.error(new Boom()))
                : Flux.just("a", "b"));

        StepVerifier.create(failsOnce.transform(enclose()).retry(1))
                .expectNext("(", "a", "(", "a", "b", ")")
                .expectComplete()
                .verify(SOON);
    }

    @Test
    void passesTheContextUpstream() {
        StepVerifier.create(Flux.deferContextual(context -> Flux.just(context.<String>get("key")))
                        .transform(passThrough())
                        .contextWrite(Context.of("key", "value")))
                .expectNext("value")
                .expectComplete()
                .verify(SOON);
    }

    @Test
    void letsNameAndTagsCross() {
        Flux<String> named = Flux.just("a").name("body").tag("part", "7").transform(split());

        assertThat(Scannable.from(named).name()).isEqualTo("body");
        assertThat(Scannable.from(named).tags()).containsExactly(Tuples.of("part", "7"));
    }

    @Test
    void letsATapSeeEachPiece() {
        List<String> seen = new ArrayList<>();

        StepVerifier.create(Flux.just("ab").transform(split()).tap(() -> new DefaultSignalListener<>() {
                    @Override
                    public void doOnNext(String piece) {
                        seen.add(piece);
                    }
                }))
                .expectNext("a", "b")
                .expectComplete()
                .verify(SOON);

        assertThat(seen).containsExactly("a", "b");
    }

    @Test
    void namesTheCheckpointInItsErrors() {
        StepVerifier.create(Flux.just("a")
                        .transform(Stage.operator(FailsInFeed::new))
                        .checkpoint("after the stage"))
                .expectErrorSatisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("after the stage"))
                .verify(SOON);
    }

    @Test
    void isSeenByAssemblyHooksOnce() {
        List<Object> assembled = new ArrayList<>();
        Flux<String> source = Flux.just("a");
        Hooks.onEachOperator(publisher -> {
            assembled.add(publisher);
            return publisher;
        });

        Flux<String> staged = source.transform(passThrough());

        assertThat(assembled).containsExactly(staged);
    }

    @Test
    void scansTheOperator() {
        Flux<String> source = Flux.just("a");
        Scannable staged = Scannable.from(source.transform(passThrough()));

        assertThat(staged.scan(Scannable.Attr.PARENT)).isSameAs(source);
        assertThat(staged.scan(Scannable.Attr.RUN_STYLE)).isSameAs(Scannable.Attr.RunStyle.SYNC);
    }

    @Test
    void scansTheSubscriber() {
        TestPublisher<String> upstream = TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);
        ManualReceiver receiver = new ManualReceiver();
        upstream.flux().transform(split()).subscribe(receiver);
        Scannable scanned = Scannable.from(receiver.s);

        assertThat(scanned.scan(Scannable.Attr.ACTUAL)).isSameAs(receiver);
        assertThat(scanned.scan(Scannable.Attr.PARENT)).isNotNull();
        assertThat(scanned.scan(Scannable.Attr.RUN_STYLE)).isSameAs(Scannable.Attr.RunStyle.SYNC);
        assertThat(scanned.scan(Scannable.Attr.TERMINATED)).isFalse();
        assertThat(scanned.scan(Scannable.Attr.CANCELLED)).isFalse();
        assertThat(scanned.scan(Scannable.Attr.ERROR)).isNull();
    }

    @Test
    void scansDemandAndWhatIsBuffered() {
        TestPublisher<String> upstream = TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);
        ManualReceiver receiver = new ManualReceiver();
        upstream.flux().transform(split()).subscribe(receiver);
        Scannable scanned = Scannable.from(receiver.s);

        upstream.next("abc");
        assertThat(scanned.scan(Scannable.Attr.BUFFERED)).isOne();
        receiver.s.request(5);
        assertThat(scanned.scan(Scannable.Attr.BUFFERED)).isZero();
        assertThat(scanned.scan(Scannable.Attr.REQUESTED_FROM_DOWNSTREAM)).isEqualTo(2);
    }

    @Test
    void scansThePieceThatWasPolledAhead() {
        ManualReceiver receiver = new ManualReceiver();
        Flux.just("abc").transform(split()).subscribe(receiver);

        receiver.s.request(1); // the source is complete by then, so "b" is polled ahead

        assertThat(Scannable.from(receiver.s).scan(Scannable.Attr.BUFFERED)).isOne();
    }

    @Test
    void scansAFailedSubscriber() {
        ManualReceiver receiver = new ManualReceiver();
        Boom boom = new Boom();
        Flux.<String>error(boom).transform(split()).subscribe(receiver);
        Scannable scanned = Scannable.from(receiver.s);

        assertThat(scanned.scan(Scannable.Attr.TERMINATED)).isTrue();
        assertThat(scanned.scan(Scannable.Attr.ERROR)).isSameAs(boom);
    }

    @Test
    void scansACancelledSubscriber() {
        ManualReceiver receiver = new ManualReceiver();
        Flux.<String>never().transform(split()).subscribe(receiver);

        receiver.s.cancel();

        assertThat(Scannable.from(receiver.s).scan(Scannable.Attr.CANCELLED)).isTrue();
    }
}
