package io.github.reslice.benchmarks.charts;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.geom.Ellipse2D;
import java.util.List;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.LineAndShapeRenderer;
import org.jfree.data.category.DefaultCategoryDataset;

/** How cost grows with the size of a body. */
final class SizeChart {

    private static final int MIB = 1024 * 1024;
    private static final List<Integer> SIZES = List.of(1, 4, 16, 64, 256, 1024, 4096);
    private static final String RESLICE = "Reslice";
    private static final String SDK = "the AWS SDK's encoder";
    private static final float[] DASHES = {7, 5};
    private static final String BUFFERS = "heap buffers of 16 KiB, chunks of 128 KiB, CRC32C; lower is better";

    private SizeChart() {}

    /** Two pairs of lines: only what ran in the same JVMs is compared. */
    static JFreeChart cpu(Encoding encoding) {
        DefaultCategoryDataset micros = new DefaultCategoryDataset();
        for (int size : SIZES) {
            Encoding.Pair checksum = beside("BARE_CHECKSUM", encoding, size);
            Encoding.Pair sdk = beside("AWS_SDK", encoding, size);
            micros.addValue(checksum.otherMicros() / size, "the bare checksum", name(size));
            micros.addValue(checksum.micros() / size, RESLICE + " in the same JVMs", name(size));
            micros.addValue(sdk.otherMicros() / size, SDK, name(size));
            micros.addValue(sdk.micros() / size, RESLICE + " in the same JVMs as that", name(size));
        }
        NumberAxis axis = new NumberAxis("CPU time for each MiB, µs");
        JFreeChart chart = lines(
                "CPU time against the size of a body",
                BUFFERS + "; short bodies come out of the cache",
                micros,
                axis,
                List.of(Look.GREY, Look.BLUE, Look.VERMILION, Look.BLUE));
        for (int besideTheSdk : new int[] {2, 3}) {
            chart.getCategoryPlot()
                    .getRenderer()
                    .setSeriesStroke(
                            besideTheSdk,
                            new BasicStroke(2.2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, DASHES, 0));
        }
        return chart;
    }

    static JFreeChart allocation(Encoding encoding) {
        DefaultCategoryDataset bytes = new DefaultCategoryDataset();
        for (int size : SIZES) {
            Encoding.Pair pair = beside("AWS_SDK", encoding, size);
            bytes.addValue(pair.bytes(), RESLICE, name(size));
            bytes.addValue(pair.otherBytes(), SDK, name(size));
        }
        BytesAxis axis = new BytesAxis("allocated for the whole body, logarithmic", bytes);
        return lines("Allocation against the size of a body", BUFFERS, bytes, axis, List.of(Look.BLUE, Look.VERMILION));
    }

    private static Encoding.Pair beside(String other, Encoding encoding, int mib) {
        return encoding.ofLength((long) mib * MIB, "KNOWN_LENGTH", other, Encoding.HEAP);
    }

    private static String name(int mib) {
        return mib < 1024 ? mib + " MiB" : mib / 1024 + " GiB";
    }

    private static JFreeChart lines(
            String title, String subtitle, DefaultCategoryDataset values, ValueAxis axis, List<Color> colours) {
        JFreeChart chart = ChartFactory.createLineChart(
                null, "size of the body", null, values, PlotOrientation.VERTICAL, true, false, false);
        LineAndShapeRenderer lines =
                (LineAndShapeRenderer) chart.getCategoryPlot().getRenderer();
        lines.setDefaultShapesVisible(true);
        for (int series = 0; series < colours.size(); series++) {
            lines.setSeriesPaint(series, colours.get(series));
            lines.setSeriesStroke(series, new BasicStroke(2.2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
            lines.setSeriesShape(series, new Ellipse2D.Double(-3.5, -3.5, 7, 7));
        }
        Look.dress(chart, title, subtitle, axis);
        return chart;
    }
}
