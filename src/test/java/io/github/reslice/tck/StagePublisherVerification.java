package io.github.reslice.tck;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;
import org.testng.annotations.Test;

/** What holds for a stage's publisher whatever the stage, and whatever kind of buffer it gives. */
abstract class StagePublisherVerification<B> extends PublisherVerification<B> {

    private static final int SIGNAL_MILLIS = 500;
    private static final int NO_SIGNAL_MILLIS = 100;
    private static final int BEFORE_COLLECTION_MILLIS = 1_000;

    StagePublisherVerification() {
        super(new TestEnvironment(SIGNAL_MILLIS, NO_SIGNAL_MILLIS), BEFORE_COLLECTION_MILLIS);
    }

    @Override
    @Test
    public void required_spec313_cancelMustMakeThePublisherEventuallyDropAllReferencesToTheSubscriber()
            throws Throwable {
        handleReferencesThatOtherTestsLeft();
        super.required_spec313_cancelMustMakeThePublisherEventuallyDropAllReferencesToTheSubscriber();
    }

    /**
     * The TCK collects garbage once, and gives the one thread that handles references 100 ms: too little where tests before have
     * left many direct buffers, which that thread frees.
     */
    private static void handleReferencesThatOtherTestsLeft() throws InterruptedException {
        ReferenceQueue<Object> handled = new ReferenceQueue<>();
        WeakReference<Object> garbage = new WeakReference<>(new Object(), handled);
        do {
            System.gc();
        } while (handled.remove(10_000) != garbage);
    }
}
