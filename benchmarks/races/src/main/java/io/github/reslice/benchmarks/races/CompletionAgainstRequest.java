package io.github.reslice.benchmarks.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The end of a source while the last piece, which waits in the stage, is asked for. */
@JCStressTest
@Outcome(id = "2 pieces, complete", expect = ACCEPTABLE, desc = "the last piece, then the end")
@State
public class CompletionAgainstRequest {

    private final Pipeline pipeline = Pipeline.driven();

    public CompletionAgainstRequest() {
        pipeline.receiver.request(1);
        pipeline.source.emit();
    }

    @Actor
    public void source() {
        pipeline.source.complete();
    }

    @Actor
    public void receiver() {
        pipeline.receiver.request(1);
    }

    @Arbiter
    public void look(L_Result r) {
        r.r1 = pipeline.outcome();
    }
}
