package io.spillway.drill;

import io.spillway.report.JudgedFault;
import io.spillway.report.PointSummary;
import java.util.List;

/** Reports for tests: one that is well, in which a test changes what it is about. */
final class Reports {
  private Reports() {}

  static DrillReport.Query query(String name, boolean equal, String difference, long bytesLeft) {
    return new DrillReport.Query(
        name, 1.25, equal, difference, 2, 1, 1, 3 << 20, 4 << 20, 1, 1, bytesLeft);
  }

  static PassOutcome.Ledger ledger(long usedBytes, long leakedBytes, String... owners) {
    return new PassOutcome.Ledger(
        "0", usedBytes, 4 << 20, 3 << 20, 0, leakedBytes, List.of(owners), true);
  }

  static DrillReport.PassReport pass(
      DrillReport.Query query, List<PassOutcome.Ledger> ledgers, String... ledgersMissing) {
    return new DrillReport.PassReport(
        2,
        "starved",
        "Spillway, starved",
        9.5,
        List.of(query),
        ledgers,
        List.of(ledgersMissing),
        List.of());
  }

  static DrillReport.PassReport goodPass() {
    return pass(query("tpch-1", true, null, 0), List.of(ledger(0, 0)));
  }

  static PointSummary point(boolean armed, boolean instrumented, long fired) {
    return new PointSummary(
        "native.alloc", armed, instrumented, null, 40, fired, fired, 0, 0, 0, 12.5, 8);
  }

  static DrillReport of(
      List<DrillReport.PassReport> passes,
      List<PointSummary> points,
      List<JudgedFault> fired,
      String plan) {
    List<String> reasons = Verdict.of(passes, points);
    return new DrillReport(
        reasons.isEmpty(),
        reasons,
        "1.0",
        "2026-01-01T00:00:00Z",
        60,
        7,
        "0.1",
        4 << 20,
        "local[1,4]",
        passes,
        0,
        0,
        points,
        List.of(),
        "0123456789abcdef",
        fired,
        plan);
  }
}
