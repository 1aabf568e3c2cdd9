package io.github.reslice.blocking;

import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.stage.Stage;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import reactor.blockhound.BlockHound;
import reactor.core.publisher.Flux;

/**
 * Does all the work in a JVM that BlockHound watches, and prints for each sort how many calls blocked, and where the first
 * did. Calls are counted, not refused, since an error could get lost on its way.
 */
final class Watched {

    private Watched() {}

    public static void main(String[] args) {
        boolean sleeping = args.length > 0 && args[0].equals("sleeping");
        UnaryOperator<Flux<ByteBuffer>> before =
                sleeping ? flux -> flux.transform(Stage.operator(SleepingStage::new)) : flux -> flux;
        Queue<Throwable> calls = new ConcurrentLinkedQueue<>();
        BlockHound.builder()
                .loadIntegrations()
                .nonBlockingThreadPredicate(known -> known.or(Watched::isEventLoopOfSdk))
                .blockingMethodCallback(method -> calls.add(new Throwable(method + " on " + Thread.currentThread())))
                .install();
        for (Work work : Work.values()) {
            for (ChecksumAlgorithm checksum : ChecksumAlgorithm.values()) {
                work.run(before, checksum);
            }
            System.out.println(work + ": " + calls.size() + " calls blocked");
            if (!calls.isEmpty()) {
                System.out.println(trace(calls.element()));
            }
            calls.clear();
        }
        System.exit(0); // the clients' threads would keep it
    }

    /** Plain threads, so that Netty's integration does not know them. */
    private static boolean isEventLoopOfSdk(Thread thread) {
        return thread.getName().startsWith("aws-java-sdk-NettyEventLoop");
    }

    private static String trace(Throwable call) {
        StringWriter trace = new StringWriter();
        call.printStackTrace(new PrintWriter(trace, true));
        return trace.toString();
    }
}
