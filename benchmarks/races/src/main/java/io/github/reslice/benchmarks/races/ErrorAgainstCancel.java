package io.github.reslice.benchmarks.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A source that fails while the receiver cancels: the error is given or dropped, and a piece is discarded. */
@JCStressTest
@Outcome(id = "1 pieces, failed, 0 errors dropped", expect = ACCEPTABLE, desc = "the error came first")
@Outcome(id = "1 pieces, open, [01] errors dropped", expect = ACCEPTABLE, desc = "the cancel came first")
@State
public class ErrorAgainstCancel {

    private final Pipeline pipeline = Pipeline.driven();

    public ErrorAgainstCancel() {
        pipeline.receiver.request(1);
        pipeline.source.emit();
    }

    @Actor
    public void source() {
        pipeline.source.fail();
    }

    @Actor
    public void receiver() {
        pipeline.receiver.cancel();
    }

    @Arbiter
    public void look(L_Result r) {
        r.r1 = pipeline.outcomeWithErrors();
    }
}
