package io.github.reslice.benchmarks.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A cancel while buffers come in: what is not given is discarded, also what comes later. */
@JCStressTest
@Outcome(id = "[0-4] pieces, open", expect = ACCEPTABLE, desc = "what was given before the cancel")
@State
public class CancelAgainstOnNext {

    private final Pipeline pipeline = Pipeline.driven();

    public CancelAgainstOnNext() {
        pipeline.receiver.request(Long.MAX_VALUE);
    }

    @Actor
    public void source() {
        pipeline.source.emit();
        pipeline.source.emit();
    }

    @Actor
    public void receiver() {
        pipeline.receiver.cancel();
    }

    @Arbiter
    public void look(L_Result r) {
        r.r1 = pipeline.outcomeOfCancelled();
    }
}
