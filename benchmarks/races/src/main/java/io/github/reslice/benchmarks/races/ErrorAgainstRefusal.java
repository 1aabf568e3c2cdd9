package io.github.reslice.benchmarks.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A source that fails while the receiver breaks the rule that demand is positive: two errors, of which one counts. */
@JCStressTest
@Outcome(id = "1 pieces, failed, 1 errors dropped", expect = ACCEPTABLE, desc = "the source's error came first")
@Outcome(id = "1 pieces, refused, 1 errors dropped", expect = ACCEPTABLE, desc = "the receiver's fault came first")
@Outcome(
        id = "1 pieces, failed, 0 errors dropped",
        expect = ACCEPTABLE,
        desc = "the stream was over before the receiver's fault")
@State
public class ErrorAgainstRefusal {

    private final Pipeline pipeline = Pipeline.driven();

    public ErrorAgainstRefusal() {
        pipeline.receiver.request(1);
        pipeline.source.emit();
    }

    @Actor
    public void source() {
        pipeline.source.fail();
    }

    @Actor
    public void receiver() {
        pipeline.receiver.requestNothing();
    }

    @Arbiter
    public void look(L_Result r) {
        r.r1 = pipeline.outcomeWithErrors();
    }
}
