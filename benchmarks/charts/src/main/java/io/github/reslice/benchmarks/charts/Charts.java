package io.github.reslice.benchmarks.charts;

import java.io.IOException;
import java.nio.file.Path;
import org.jfree.chart.JFreeChart;

/** Draws the charts from the results in a directory, into that directory. */
final class Charts {

    private Charts() {}

    public static void main(String... args) throws IOException {
        try {
            draw(Path.of(args[0]).normalize());
        } catch (MissingResultException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    /** All or, where a result is missing, none. */
    private static void draw(Path directory) throws IOException {
        Encoding encoding = Encoding.read(directory.resolve("encoding.json"));
        Uploads measured = Uploads.read(directory.resolve("uploads.json"));
        JFreeChart speed = SpeedChart.of(encoding);
        JFreeChart allocation = AllocationChart.of(encoding);
        JFreeChart cpuOfSizes = SizeChart.cpu(encoding);
        JFreeChart allocationOfSizes = SizeChart.allocation(encoding);
        JFreeChart uploads = UploadsChart.of(measured);
        Svg.write(speed, 370, directory.resolve("speed.svg"));
        Svg.write(allocation, 440, directory.resolve("allocation.svg"));
        Svg.write(cpuOfSizes, 380, directory.resolve("size-cpu.svg"));
        Svg.write(allocationOfSizes, 380, directory.resolve("size-allocation.svg"));
        Svg.write(uploads, 620, directory.resolve("uploads.svg"));
    }
}
