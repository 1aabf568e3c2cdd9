package io.github.reslice.benchmarks.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A cancel while the drain takes pieces from a stage that holds one, and gets a further buffer. */
@JCStressTest
@Outcome(
        id = "[1-4] pieces, open",
        expect = ACCEPTABLE,
        desc = "what was given before the cancel; the rest is discarded once")
@State
public class DiscardAgainstEmission {

    private final Pipeline pipeline = Pipeline.answered(3);

    public DiscardAgainstEmission() {
        pipeline.receiver.request(1);
    }

    @Actor
    public void emission() {
        pipeline.receiver.request(3);
    }

    @Actor
    public void discard() {
        pipeline.receiver.cancel();
    }

    @Arbiter
    public void look(L_Result r) {
        r.r1 = pipeline.outcomeOfCancelled();
    }
}
