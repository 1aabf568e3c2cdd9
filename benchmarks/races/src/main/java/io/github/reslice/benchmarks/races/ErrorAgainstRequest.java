package io.github.reslice.benchmarks.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A source that fails while a piece that waits in the stage is asked for. */
@JCStressTest
@Outcome(
        id = "1 pieces, failed, 0 errors dropped",
        expect = ACCEPTABLE,
        desc = "the error came first, and the piece is discarded")
@Outcome(id = "2 pieces, failed, 0 errors dropped", expect = ACCEPTABLE, desc = "the piece came first")
@State
public class ErrorAgainstRequest {

    private final Pipeline pipeline = Pipeline.driven();

    public ErrorAgainstRequest() {
        pipeline.receiver.request(1);
        pipeline.source.emit();
    }

    @Actor
    public void source() {
        pipeline.source.fail();
    }

    @Actor
    public void receiver() {
        pipeline.receiver.request(1);
    }

    @Arbiter
    public void look(L_Result r) {
        r.r1 = pipeline.outcomeWithErrors();
    }
}
