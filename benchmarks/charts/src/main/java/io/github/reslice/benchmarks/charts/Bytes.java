package io.github.reslice.benchmarks.charts;

import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;
import java.util.Locale;

/** Bytes with their decimal unit, in no more than three digits. */
final class Bytes extends NumberFormat {

    private static final long serialVersionUID = 1;

    private static final String[] UNITS = {"B", "KB", "MB", "GB"};

    @Override
    public StringBuffer format(double bytes, StringBuffer to, FieldPosition position) {
        int unit = 0;
        double value = bytes;
        while (value >= 999.5 && unit < UNITS.length - 1) {
            value /= 1000;
            unit++;
        }
        String digits = String.format(Locale.ROOT, value < 9.95 ? "%.1f" : "%.0f", value);
        return to.append(digits.endsWith(".0") ? digits.substring(0, digits.length() - 2) : digits)
                .append(' ')
                .append(UNITS[unit]);
    }

    @Override
    public StringBuffer format(long bytes, StringBuffer to, FieldPosition position) {
        return format((double) bytes, to, position);
    }

    @Override
    public Number parse(String text, ParsePosition position) {
        throw new UnsupportedOperationException();
    }
}
