package io.spillway.drill;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The table that ends a drill, for a terminal. */
final class ConsoleTable {
  private static final List<String> HEAD =
      List.of(
          "query",
          "pass",
          "seconds",
          "peak native",
          "spilled",
          "faults",
          "retried",
          "equal",
          "left");

  private ConsoleTable() {}

  /** One line for each query and pass, then one for each fault point. */
  static String of(DrillReport report) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEAD);
    for (DrillReport.PassReport pass : report.passes()) {
      boolean spillway = pass.number() > Pass.PLAIN.number();
      for (DrillReport.Query query : pass.queries()) {
        rows.add(
            List.of(
                query.name(),
                pass.name(),
                String.format(Locale.ROOT, "%.1f", query.seconds()),
                spillway ? ByteSize.format(query.peakNativeBytes()) : "-",
                spillway ? ByteSize.format(query.spilledBytes()) : "-",
                Long.toString(query.faultsFired()),
                Long.toString(query.tasksRetried()),
                query.resultEqual() ? "yes" : "NO",
                spillway ? ByteSize.format(query.bytesLeft()) : "-"));
      }
    }
    List<List<String>> points = new ArrayList<>();
    points.add(List.of("fault point", "reached", "fired", "recovered", "retried", "failed"));
    for (DrillReport.Point point : report.points()) {
      points.add(
          List.of(
              point.name(),
              Long.toString(point.reached()),
              point.armed() ? Long.toString(point.fired()) : "not armed",
              Long.toString(point.recovered()),
              Long.toString(point.retried()),
              Long.toString(point.failed())));
    }
    return lines(rows, 2) + "\n" + lines(points, 1);
  }

  /** Columns as wide as their widest cell; the first {@code left} ones flush left. */
  private static String lines(List<List<String>> rows, int left) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String pad = " ".repeat(widths[i] - row.get(i).length());
        line.append(i == 0 ? "" : "  ");
        line.append(i < left ? row.get(i) + pad : pad + row.get(i));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
