package io.github.reslice.benchmarks.charts;

import java.awt.Dimension;
import java.awt.Rectangle;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.text.TextUtils;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** A chart as an SVG file, the same bytes for the same chart. */
final class Svg {

    private static final int WIDTH = 760;
    private static final String NAMESPACE = "http://www.w3.org/2000/svg";

    private Svg() {}

    static void write(JFreeChart chart, int height, Path file) throws IOException {
        SVGGeneratorContext context = SVGGeneratorContext.createDefault(emptyDocument());
        context.setPrecision(2);
        context.setComment(" Drawn by benchmarks/charts, from the results beside it ");
        SVGGraphics2D graphics = new SVGGraphics2D(context, true); // texts as shapes, whatever fonts the reader has
        graphics.setSVGCanvasSize(new Dimension(WIDTH, height));
        TextUtils.setUseFontMetricsGetStringBounds(true); // else it rounds widths to pixels
        chart.draw(graphics, new Rectangle(WIDTH, height));
        Element root = graphics.getRoot();
        root.setAttribute("viewBox", "0 0 " + WIDTH + " " + height);
        root.setAttribute("role", "img");
        root.insertBefore(title(root, chart), root.getFirstChild());
        try (Writer out = Files.newBufferedWriter(file)) {
            graphics.stream(root, out, false, false);
        }
    }

    private static Element title(Element root, JFreeChart chart) {
        Element title = root.getOwnerDocument().createElementNS(NAMESPACE, "title");
        title.setTextContent(chart.getTitle().getText());
        return title;
    }

    private static Document emptyDocument() {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument(NAMESPACE, "svg", null);
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException(e);
        }
    }
}
