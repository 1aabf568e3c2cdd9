package io.github.reslice.benchmarks.charts;

import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.data.category.DefaultCategoryDataset;

/** What each encoder allocates for 100 MiB. */
final class AllocationChart {

    private static final double HUNDRED_MIB = 100 * 1024 * 1024;

    private AllocationChart() {}

    static JFreeChart of(Encoding encoding) {
        DefaultCategoryDataset bytes = new DefaultCategoryDataset();
        for (String memory : Encoding.MEMORIES) {
            String series = memory.equals(Encoding.HEAP) ? "heap buffers" : "direct buffers";
            Encoding.Pair unsigned = encoding.pair("KNOWN_LENGTH", "AWS_SDK", memory);
            Encoding.Pair signed = encoding.pair("SIGNED", "BARE_HASHES", memory);
            bytes.addValue(perHundredMib(unsigned.bytes()), series, "encoding");
            bytes.addValue(perHundredMib(signed.bytes()), series, "signed encoding");
            bytes.addValue(
                    perHundredMib(encoding.pair("DECODING", "BARE_CHECKSUM_OF_WIRE", memory)
                            .bytes()),
                    series,
                    "decoding");
            bytes.addValue(
                    perHundredMib(encoding.pair("SIGNED_DECODING", "BARE_HASHES_OF_WIRE", memory)
                            .bytes()),
                    series,
                    "signed decoding");
            bytes.addValue(perHundredMib(unsigned.otherBytes()), series, "the AWS SDK's encoder");
        }
        BytesAxis axis = new BytesAxis("allocated for 100 MiB, logarithmic", bytes);
        JFreeChart chart = Look.bars(
                "Allocation for a body of 100 MiB",
                "measured for 64 MiB in buffers of 16 KiB, chunks of 128 KiB, CRC32C; shorter is better",
                bytes,
                axis,
                List.of(Look.BLUE, Look.ORANGE),
                new Bytes());
        BarRenderer bars = (BarRenderer) chart.getCategoryPlot().getRenderer();
        bars.setBase(axis.getLowerBound());
        bars.setIncludeBaseInRange(false);
        return chart;
    }

    private static double perHundredMib(double bytes) {
        return bytes * HUNDRED_MIB / Encoding.LENGTH;
    }
}
