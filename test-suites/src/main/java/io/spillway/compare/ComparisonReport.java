package io.spillway.compare;

import io.spillway.report.ByteSize;
import io.spillway.report.ChaosReport;
import io.spillway.report.ExecutorLost;
import io.spillway.report.Outcome;
import io.spillway.report.ReportText;
import io.spillway.report.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What became of each engine under the same faults. The JSON report has exactly these fields.
 *
 * @param scale TPC-H scale factor
 * @param memoryBytes off-heap memory of each executor
 * @param plan the faults, as YAML
 * @param engines in the order in which they ran
 */
record ComparisonReport(
    String scale, long memoryBytes, String master, String plan, List<EngineReport> engines) {

  /**
   * One engine.
   *
   * @param driverExit exit code of its driver; other than 0: the application did not end
   * @param queries what it ran; those that are missing were never begun or ended with the driver
   * @param chaos what its agents wrote down; null if no agent wrote anything
   */
  record EngineReport(String engine, int driverExit, List<Query> queries, ChaosReport chaos) {}

  /**
   * One query.
   *
   * @param result {@code equal}, {@code different}, {@code failed} or {@code not run}
   * @param why the first difference or what failed it; null if the result is equal
   * @param foreignOperators operators of its plan that are the engine's own
   */
  record Query(String name, double seconds, String result, String why, int foreignOperators) {}

  /** For a terminal: a line for each engine, one for each query, and whatever went wrong. */
  String text() {
    StringBuilder text = new StringBuilder(TextTable.of(engineRows(), 1));
    text.append('\n').append(TextTable.of(queryRows(), 3));
    for (EngineReport engine : engines) {
      if (engine.driverExit() != 0) {
        text.append(
            line("%s: its driver ended with exit code %d", engine.engine(), engine.driverExit()));
      }
      if (engine.chaos() == null) {
        text.append(line("%s: no agent wrote anything down", engine.engine()));
        continue;
      }
      for (ChaosReport.Jvm jvm : engine.chaos().jvms()) {
        if (jvm.disarmed() != null) {
          text.append(
              line(
                  "%s: faults ended early on executor %s: %s",
                  engine.engine(), jvm.executor(), jvm.disarmed()));
        }
      }
      for (ExecutorLost lost : engine.chaos().executorsLost()) {
        text.append(
            line(
                "%s: executor %s was lost, exit code %s: %s",
                engine.engine(),
                lost.executor(),
                lost.exitCode() == null ? "unknown" : lost.exitCode(),
                lost.reason()));
      }
      for (ChaosReport.Leak leak : engine.chaos().leaks()) {
        text.append(
            line(
                "%s: leaked %s by %s's figures, owned by %s",
                engine.engine(),
                ByteSize.format(leak.bytes()),
                leak.book(),
                leak.owners().isEmpty() ? "nobody on record" : String.join("; ", leak.owners())));
      }
    }
    return text.toString();
  }

  private List<List<String>> engineRows() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "engine",
            "queries equal",
            "fired",
            "recovered",
            "retried",
            "failed cleanly",
            "not handled",
            "cost",
            "leaked",
            "spill files",
            "executors lost"));
    for (EngineReport engine : engines) {
      long equal = engine.queries().stream().filter(one -> one.result().equals("equal")).count();
      List<String> row = new ArrayList<>();
      row.add(engine.engine());
      row.add(equal + " of " + engine.queries().size());
      ChaosReport chaos = engine.chaos();
      if (chaos == null) {
        row.addAll(List.of("-", "-", "-", "-", "-", "-", "-", "-", "-"));
      } else {
        row.add(Integer.toString(chaos.fired()));
        for (Outcome outcome : Outcome.values()) {
          row.add(Long.toString(chaos.count(outcome)));
        }
        row.add(ReportText.millis(chaos.totalCostMillis()));
        row.add(ByteSize.format(chaos.leakedBytes()));
        row.add(Integer.toString(chaos.spillFilesLeft()));
        row.add(Integer.toString(chaos.executorsLost().size()));
      }
      rows.add(row);
    }
    return rows;
  }

  private List<List<String>> queryRows() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("engine", "query", "result", "seconds", "own operators"));
    for (EngineReport engine : engines) {
      for (Query query : engine.queries()) {
        rows.add(
            List.of(
                engine.engine(),
                query.name(),
                query.result() + (query.why() == null ? "" : ": " + shortened(query.why())),
                String.format(Locale.ROOT, "%.1f", query.seconds()),
                Integer.toString(query.foreignOperators())));
      }
    }
    return rows;
  }

  private static String shortened(String why) {
    return why.length() > 90 ? why.substring(0, 90) + "…" : why;
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format, values) + "\n";
  }
}
