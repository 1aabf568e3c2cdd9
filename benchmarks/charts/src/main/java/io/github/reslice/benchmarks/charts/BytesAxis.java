package io.github.reslice.benchmarks.charts;

import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.general.DatasetUtils;

/** A logarithmic axis of bytes, from a power of ten below all values, with room for a label behind the longest bar. */
final class BytesAxis extends LogAxis {

    private static final long serialVersionUID = 1;

    BytesAxis(String label, CategoryDataset values) {
        super(label);
        double least = DatasetUtils.findMinimumRangeValue(values).doubleValue();
        double most = DatasetUtils.findMaximumRangeValue(values).doubleValue();
        setRange(Math.pow(10, Math.floor(Math.log10(least / 1.5))), 4 * most);
        setTickUnit(new NumberTickUnit(1)); // a power of ten
        setNumberFormatOverride(new Bytes());
    }
}
