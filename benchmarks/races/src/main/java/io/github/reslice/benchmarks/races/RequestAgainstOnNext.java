package io.github.reslice.benchmarks.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A buffer that comes while more is asked for, and the end behind it. */
@JCStressTest
@Outcome(id = "2 pieces, complete", expect = ACCEPTABLE, desc = "both pieces, then the end without further demand")
@State
public class RequestAgainstOnNext {

    private final Pipeline pipeline = Pipeline.driven();

    public RequestAgainstOnNext() {
        pipeline.receiver.request(1);
    }

    @Actor
    public void source() {
        pipeline.source.emit();
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
