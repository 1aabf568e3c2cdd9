package io.github.reslice.samples.quickstart;

import java.nio.ByteBuffer;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import reactor.core.publisher.Flux;

/** Shows how far a stream has come: a bar in a terminal, plain lines elsewhere. */
final class Progress {

    private static final int MIB = 1024 * 1024;
    private static final int MILLIS_BETWEEN_LINES = 1000;

    private Progress() {}

    static Flux<ByteBuffer> show(String task, long length, Flux<ByteBuffer> bytes) {
        return Flux.using(
                () -> bar(task, length),
                bar -> bytes.doOnNext(buffer -> bar.stepBy(buffer.remaining())),
                ProgressBar::close);
    }

    private static ProgressBar bar(String task, long length) {
        ProgressBarBuilder builder =
                ProgressBar.builder().setTaskName(task).setInitialMax(length).setUnit(" MiB", MIB);
        if (System.console() == null) {
            builder.setStyle(ProgressBarStyle.ASCII)
                    .setUpdateIntervalMillis(MILLIS_BETWEEN_LINES)
                    .setConsumer(new DelegatingProgressBarConsumer(System.out::println, 100));
        }
        return builder.build();
    }
}
