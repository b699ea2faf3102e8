package io.spillway.drill;

import io.spillway.report.ByteSize;
import io.spillway.report.ReportText;
import io.spillway.report.TextTable;
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
    return TextTable.of(rows, 2) + "\n" + ReportText.points(report.points());
  }
}
