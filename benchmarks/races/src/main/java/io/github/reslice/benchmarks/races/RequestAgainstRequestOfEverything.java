package io.github.reslice.benchmarks.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A bounded request and one of everything, which goes to the source outside the guard. */
@JCStressTest
@Outcome(id = "6 pieces, complete", expect = ACCEPTABLE, desc = "everything, in order")
@State
public class RequestAgainstRequestOfEverything {

    private final Pipeline pipeline = Pipeline.answered(3);

    @Actor
    public void bounded() {
        pipeline.receiver.request(3);
    }

    @Actor
    public void everything() {
        pipeline.receiver.request(Long.MAX_VALUE);
    }

    @Arbiter
    public void look(L_Result r) {
        r.r1 = pipeline.outcome();
    }
}
