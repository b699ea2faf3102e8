package io.spillway.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report for a terminal. */
final class ReportTable {
  private static final List<String> HEAD =
      List.of("measure", "unit", "ours", "base", "compared", "interval", "target", "");

  private ReportTable() {}

  /** One line for each measure. */
  static String of(List<Measure> measures) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEAD);
    for (Measure each : measures) {
      Figure judged = each.compared() == null ? each.ours() : each.compared();
      rows.add(
          List.of(
              each.name(),
              each.unit(),
              Numbers.text(each.ours().median()),
              each.base() == null ? "" : Numbers.text(each.base().median()),
              compared(each),
              Numbers.text(judged.low()) + " to " + Numbers.text(judged.high()),
              each.target() == null ? "" : each.target().toString(),
              each.verdict() == null ? "" : each.verdict().name().toLowerCase(Locale.ROOT)));
    }
    return lines(rows);
  }

  private static String compared(Measure measure) {
    if (measure.compared() == null) {
      return "";
    }
    String text = Numbers.text(measure.compared().median());
    return measure.comparison().equals("difference") ? text + " more" : "x " + text;
  }

  /** Columns as wide as their widest cell; the first and the last flush left. */
  private static String lines(List<List<String>> rows) {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String pad = " ".repeat(widths[i] - row.get(i).length());
        boolean left = i == 0 || i == columns - 1;
        line.append(i == 0 ? "" : "  ").append(left ? row.get(i) + pad : pad + row.get(i));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
