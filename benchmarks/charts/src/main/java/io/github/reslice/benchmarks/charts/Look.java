package io.github.reslice.benchmarks.charts;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.text.NumberFormat;
import java.util.List;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.category.CategoryDataset;

/** What all charts have in common. Their background is white, for pages of any colour. */
final class Look {

    /** Of Okabe's and Ito's colours, which also the colour-blind tell apart. */
    static final Color BLUE = new Color(0x0072B2);

    static final Color ORANGE = new Color(0xE69F00);
    static final Color VERMILION = new Color(0xD55E00);
    static final Color GREY = new Color(0x8A8A8A);
    static final List<Color> BLUES = List.of(new Color(0x8CC7EE), BLUE, new Color(0x003A5C));

    static final Color INK = new Color(0x24292F);
    static final Color MUTED = new Color(0x57606A);
    private static final Color GRID = new Color(0xDDE1E6);

    private static final Font FONT = font();

    private Look() {}

    private static Font font() {
        try (InputStream ttf =
                Look.class.getResourceAsStream("/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf")) {
            return Font.createFont(Font.TRUETYPE_FONT, ttf);
        } catch (FontFormatException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Font font(float size) {
        return FONT.deriveFont(size);
    }

    static JFreeChart bars(
            String title,
            String subtitle,
            CategoryDataset values,
            ValueAxis axis,
            List<Color> colours,
            NumberFormat labels) {
        JFreeChart chart =
                ChartFactory.createBarChart(null, null, null, values, PlotOrientation.HORIZONTAL, true, false, false);
        BarRenderer bars = (BarRenderer) chart.getCategoryPlot().getRenderer();
        bars.setBarPainter(new StandardBarPainter());
        bars.setShadowVisible(false);
        bars.setItemMargin(0.06);
        bars.setMaximumBarWidth(0.06);
        bars.setDefaultItemLabelGenerator(new StandardCategoryItemLabelGenerator("{2}", labels));
        bars.setDefaultItemLabelsVisible(true);
        bars.setDefaultItemLabelFont(font(11));
        bars.setDefaultItemLabelPaint(INK);
        for (int series = 0; series < colours.size(); series++) {
            bars.setSeriesPaint(series, colours.get(series));
        }
        dress(chart, title, subtitle, axis);
        CategoryPlot plot = chart.getCategoryPlot();
        plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
        plot.getDomainAxis().setCategoryMargin(0.25);
        plot.getDomainAxis().setMaximumCategoryLabelWidthRatio(0.4f);
        return chart;
    }

    /** Sets the texts, the fonts and the colours of all but the values. */
    static void dress(JFreeChart chart, String title, String subtitle, ValueAxis axis) {
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(new RectangleInsets(12, 12, 8, 20));
        chart.setTitle(left(title, 17, INK));
        chart.addSubtitle(0, left(subtitle, 12, MUTED));
        chart.getLegend().setItemFont(font(12));
        chart.getLegend().setItemPaint(INK);
        chart.getLegend().setFrame(BlockBorder.NONE);
        chart.getLegend().setPosition(RectangleEdge.BOTTOM);

        CategoryPlot plot = chart.getCategoryPlot();
        plot.setBackgroundPaint(Color.WHITE);
        plot.setOutlineVisible(false);
        plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
        plot.setRangeAxis(axis);
        plot.setRangeGridlinePaint(GRID);
        plot.setRangeGridlineStroke(new BasicStroke(1));
        axis.setLabelFont(font(12));
        axis.setLabelPaint(INK);
        axis.setTickLabelFont(font(11));
        axis.setTickLabelPaint(MUTED);
        axis.setAxisLineVisible(false);
        axis.setTickMarksVisible(false);
        CategoryAxis categories = plot.getDomainAxis();
        categories.setTickLabelFont(font(12));
        categories.setTickLabelPaint(INK);
        categories.setLabelFont(font(12));
        categories.setLabelPaint(INK);
        categories.setAxisLinePaint(MUTED);
        categories.setTickMarksVisible(false);
    }

    private static TextTitle left(String text, float size, Color colour) {
        TextTitle title = new TextTitle(text, font(size));
        title.setPaint(colour);
        title.setHorizontalAlignment(HorizontalAlignment.LEFT);
        title.setPosition(RectangleEdge.TOP);
        title.setPadding(0, 2, 6, 0);
        return title;
    }
}
