package io.github.reslice.benchmarks.charts;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.data.category.DefaultCategoryDataset;

/** The CPU time of whole uploads. */
final class UploadsChart {

    /** Ten times the others', which would be told apart no more. */
    private static final String TOO_LONG = "CRT_CLIENT";

    private UploadsChart() {}

    static JFreeChart of(Uploads uploads) {
        DefaultCategoryDataset millis = new DefaultCategoryDataset();
        List<Uploads.Upload> shown = uploads.over("HTTP").stream()
                .filter(upload -> !upload.contender().equals(TOO_LONG))
                .toList();
        for (Uploads.Upload upload : shown) {
            int kib = upload.bufferSize() / 1024;
            String size = kib < 1024 ? kib + " KiB" : kib / 1024 + " MiB";
            millis.addValue(upload.cpuMillisPerMib(), "buffers of " + size, upload.title());
        }
        Uploads.Upload first = shown.get(0);
        DecimalFormat number = new DecimalFormat("0.00", DecimalFormatSymbols.getInstance(Locale.ROOT));
        NumberAxis axis = new NumberAxis("CPU time of the client's process for each MiB, ms");
        axis.setNumberFormatOverride(number);
        axis.setUpperMargin(0.1);
        return Look.bars(
                "Whole uploads over HTTP: CPU time",
                "%d MiB from heap buffers, %s, loopback; shorter is better".formatted(first.mib(), first.checksum()),
                millis,
                axis,
                Look.BLUES,
                number);
    }
}
