package io.github.reslice.benchmarks.charts;

import java.awt.BasicStroke;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.general.DatasetUtils;

/** How fast each encoder is beside the checksum that all of them have to compute. */
final class SpeedChart {

    private SpeedChart() {}

    static JFreeChart of(Encoding encoding) {
        DefaultCategoryDataset speeds = new DefaultCategoryDataset();
        for (String memory : Encoding.MEMORIES) {
            String series = memory.equals(Encoding.HEAP) ? "heap buffers" : "direct buffers";
            speeds.addValue(
                    encoding.pair("KNOWN_LENGTH", "BARE_CHECKSUM", memory).speed(), series, "encoding, all at once");
            speeds.addValue(
                    encoding.by64("KNOWN_LENGTH", "BARE_CHECKSUM", memory).speed(), series, "encoding, 64 by 64");
            speeds.addValue(
                    encoding.pair("UNKNOWN_LENGTH", "BARE_CHECKSUM", memory).speed(),
                    series,
                    "encoding, length unknown");
            speeds.addValue(
                    encoding.pair("DECODING", "BARE_CHECKSUM_OF_WIRE", memory).speed(), series, "decoding");
            speeds.addValue(
                    1 / encoding.pair("BARE_CHECKSUM", "AWS_SDK", memory).speed(), series, "the AWS SDK's encoder");
        }
        DecimalFormat number = new DecimalFormat("0.00", DecimalFormatSymbols.getInstance(Locale.ROOT));
        NumberAxis axis = new NumberAxis("speed, the bare checksum's = 1 (CPU time)");
        axis.setRange(
                0,
                Math.max(1.1, 0.1 + DatasetUtils.findMaximumRangeValue(speeds).doubleValue()));
        axis.setTickUnit(new NumberTickUnit(0.2, number));
        JFreeChart chart = Look.bars(
                "Speed beside the bare checksum",
                "64 MiB in buffers of 16 KiB, chunks of 128 KiB, CRC32C; longer is better",
                speeds,
                axis,
                List.of(Look.BLUE, Look.ORANGE),
                number);
        chart.getCategoryPlot().addRangeMarker(new ValueMarker(1, Look.INK, new BasicStroke(1.5f)));
        return chart;
    }
}
