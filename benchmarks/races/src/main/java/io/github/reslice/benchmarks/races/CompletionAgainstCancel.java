package io.github.reslice.benchmarks.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The end of a source while the receiver cancels. */
@JCStressTest
@Outcome(id = "2 pieces, complete", expect = ACCEPTABLE, desc = "the end came first")
@Outcome(id = "2 pieces, open", expect = ACCEPTABLE, desc = "the cancel came first")
@State
public class CompletionAgainstCancel {

    private final Pipeline pipeline = Pipeline.driven();

    public CompletionAgainstCancel() {
        pipeline.receiver.request(3);
        pipeline.source.emit();
    }

    @Actor
    public void source() {
        pipeline.source.complete();
    }

    @Actor
    public void receiver() {
        pipeline.receiver.cancel();
    }

    @Arbiter
    public void look(L_Result r) {
        r.r1 = pipeline.outcome();
    }
}
