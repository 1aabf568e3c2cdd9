package io.github.reslice.benchmarks.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Two bounded requests, and a source that answers on the thread that asks. */
@JCStressTest
@Outcome(
        id = "3 pieces, open; 2 buffers asked for",
        expect = ACCEPTABLE,
        desc = "all that was wanted, of no more buffers than that takes")
@State
public class RequestAgainstRequest {

    private final Pipeline pipeline = Pipeline.answered(3);

    @Actor
    public void one() {
        pipeline.receiver.request(1);
    }

    @Actor
    public void two() {
        pipeline.receiver.request(2);
    }

    @Arbiter
    public void look(L_Result r) {
        String seen = pipeline.receiver + "; " + pipeline.source.asked() + " buffers asked for";
        pipeline.receiver.request(3);
        String then = pipeline.outcome();
        r.r1 = then.equals("6 pieces, complete") ? seen : then;
    }
}
