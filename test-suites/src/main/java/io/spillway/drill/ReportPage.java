package io.spillway.drill;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.html.escape.Escape;
import gg.jte.output.StringOutput;
import io.spillway.report.ByteSize;
import java.util.Locale;

/** The report as one HTML page that needs nothing else. The template escapes every value. */
public final class ReportPage {
  private static final int ROW_HEIGHT = 34;
  private static final int LABEL_WIDTH = 170;
  private static final int BAR_WIDTH = 520;
  private static final int VALUE_WIDTH = 110;

  private ReportPage() {}

  /** Renders the page. */
  static String of(DrillReport report) {
    StringOutput output = new StringOutput();
    TemplateEngine.createPrecompiled(ContentType.Html).render("report.jte", report, output);
    return output.toString();
  }

  /** Seconds with one decimal. */
  public static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.1f", seconds);
  }

  /**
   * Two bars for each query that ran natively: the peak, and what was spilled, on one scale. Text
   * in it is escaped here, since it goes into the page as it is.
   */
  public static String memoryBars(DrillReport report) {
    long most = Math.max(report.memoryBytes(), 1);
    int rows = 0;
    for (DrillReport.PassReport pass : report.passes()) {
      for (DrillReport.Query query : pass.queries()) {
        if (query.nativeOperators() > 0) {
          rows++;
          most = Math.max(most, Math.max(query.peakNativeBytes(), query.spilledBytes()));
        }
      }
    }
    int width = LABEL_WIDTH + BAR_WIDTH + VALUE_WIDTH;
    int height = Math.max(1, rows) * ROW_HEIGHT;
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<div class=\"scroll\"><svg width=\"%d\" height=\"%d\" role=\"img\""
                + " aria-label=\"native memory by query\">%n",
            width,
            height));
    if (rows == 0) {
      svg.append("<text x=\"0\" y=\"20\">no native operator ran</text>\n");
    }
    int y = 0;
    for (DrillReport.PassReport pass : report.passes()) {
      for (DrillReport.Query query : pass.queries()) {
        if (query.nativeOperators() > 0) {
          svg.append(text(0, y + 19, query.name() + ", pass " + pass.number()));
          svg.append(bar("peak", y + 3, query.peakNativeBytes(), most));
          svg.append(bar("spill", y + 17, query.spilledBytes(), most));
          y += ROW_HEIGHT;
        }
      }
    }
    double limit = LABEL_WIDTH + (double) BAR_WIDTH * report.memoryBytes() / most;
    svg.append(
        String.format(
            Locale.ROOT,
            "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%d\"/></svg></div>",
            limit,
            limit,
            height));
    return svg.toString();
  }

  private static String bar(String kind, int y, long bytes, long most) {
    double width = (double) BAR_WIDTH * bytes / most;
    return String.format(
            Locale.ROOT,
            "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"12\"/>%n",
            kind,
            LABEL_WIDTH,
            y,
            width)
        + text(LABEL_WIDTH + (int) Math.ceil(width) + 6, y + 11, ByteSize.format(bytes));
  }

  private static String text(int x, int y, String words) {
    StringOutput escaped = new StringOutput();
    Escape.htmlContent(words, escaped);
    return String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\">%s</text>%n", x, y, escaped);
  }
}
