package io.spillway.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report for a terminal. Stateless. */
public final class ReportText {
  private static final int NAMED_KEYS = 20;

  private ReportText() {}

  /** Tables of points and JVMs, then a line for each thing that a reader should know. */
  public static String of(ChaosReport report) {
    StringBuilder text = new StringBuilder(points(report.points()));
    text.append('\n').append(jvms(report.jvms())).append('\n');
    faults(text, report);
    losses(text, report);
    report.rules().forEach(rule -> neverFired(text, rule));
    report.jvms().forEach(jvm -> incomplete(text, jvm));
    for (PointSummary point : report.points()) {
      if (point.reason() != null) {
        text.append(line("disarmed: %s: %s", point.name(), point.reason()));
      }
    }
    keys(text, "not reached", report.keysNotReached());
    if (report.against() != null) {
      difference(text, report.against());
    }
    return text.toString();
  }

  private static void faults(StringBuilder text, ChaosReport report) {
    text.append(
        line(
            "%d faults fired, set %s, seed %s",
            report.fired(),
            report.firedDigest(),
            String.join(", ", report.seeds().stream().map(String::valueOf).toList())));
    text.append(
        line(
            "recovered %d, retried %d, failed cleanly %d, not handled %d; recovery cost %s",
            report.count(Outcome.RECOVERED),
            report.count(Outcome.RETRIED),
            report.count(Outcome.FAILED_CLEANLY),
            report.count(Outcome.NOT_HANDLED),
            millis(report.totalCostMillis())));
  }

  private static void losses(StringBuilder text, ChaosReport report) {
    text.append(
        line(
            "leaked %s, taken back from failed attempts %s, spill files left %d, executors lost %d",
            ByteSize.format(report.leakedBytes()),
            ByteSize.format(report.reclaimedBytes()),
            report.spillFilesLeft(),
            report.executorsLost().size()));
    for (ChaosReport.Leak leak : report.leaks()) {
      text.append(
          line(
              "leak: %s by %s's figures, executor %s%s, owned by %s",
              ByteSize.format(leak.bytes()),
              leak.book(),
              leak.executor(),
              leak.task().isEmpty() ? "" : ", " + leak.task(),
              leak.owners().isEmpty() ? "nobody on record" : String.join("; ", leak.owners())));
    }
    for (ExecutorLost lost : report.executorsLost()) {
      text.append(
          line(
              "lost: executor %s, exit code %s: %s",
              lost.executor(),
              lost.exitCode() == null ? "unknown" : lost.exitCode(),
              lost.reason()));
    }
  }

  private static void neverFired(StringBuilder text, ChaosReport.Rule rule) {
    if (rule.fired() == 0) {
      text.append(
          line(
              "never fired: rule %d, %s at %s%s",
              rule.rule(),
              rule.fault(),
              rule.point(),
              rule.limited() == 0 ? "" : ", " + rule.limited() + " calls let pass by limits"));
    }
  }

  private static void incomplete(StringBuilder text, ChaosReport.Jvm jvm) {
    if (jvm.faultsMissing() > 0) {
      text.append(
          line(
              "incomplete: executor %s counted %d faults more than are on record: its files were"
                  + " taken away or damaged",
              jvm.executor(), jvm.faultsMissing()));
    }
    if (jvm.disarmed() != null) {
      text.append(line("disarmed: everything on executor %s: %s", jvm.executor(), jvm.disarmed()));
    }
  }

  private static void difference(StringBuilder text, ChaosReport.Difference against) {
    if (against.onlyHere().isEmpty() && against.onlyThere().isEmpty()) {
      text.append(line("the same set fired in %s", against.source()));
      return;
    }
    text.append(line("another set fired in %s: %s", against.source(), against.firedDigest()));
    keys(text, "only here", against.onlyHere());
    keys(text, "only there", against.onlyThere());
  }

  private static void keys(StringBuilder text, String what, List<String> keys) {
    keys.stream().limit(NAMED_KEYS).forEach(key -> text.append(line("%s: %s", what, key)));
    if (keys.size() > NAMED_KEYS) {
      text.append(
          line(
              "%s: and %d more, all of them are in the JSON report",
              what, keys.size() - NAMED_KEYS));
    }
  }

  /** The table of points, which the drill shows too. */
  public static String points(List<PointSummary> points) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "fault point",
            "instrumented",
            "reached",
            "fired",
            "recovered",
            "retried",
            "failed cleanly",
            "not handled",
            "cost"));
    for (PointSummary point : points) {
      rows.add(
          List.of(
              point.name(),
              point.instrumented() ? "yes" : "no",
              Long.toString(point.reached()),
              Long.toString(point.fired()),
              Long.toString(point.recovered()),
              Long.toString(point.retried()),
              Long.toString(point.failedCleanly()),
              Long.toString(point.notHandled()),
              millis(point.costMillis())));
    }
    return TextTable.of(rows, 1);
  }

  private static String jvms(List<ChaosReport.Jvm> jvms) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "executor",
            "process",
            "attempts",
            "failed",
            "ended",
            "memory",
            "before",
            "peak",
            "after"));
    for (ChaosReport.Jvm jvm : jvms) {
      List<String> who =
          List.of(
              jvm.executor(),
              Long.toString(jvm.pid()),
              Long.toString(jvm.attempts()),
              Long.toString(jvm.failedAttempts()),
              jvm.ended() == null ? "NO" : "yes");
      boolean first = true;
      for (MemoryStory story : jvm.memory()) {
        List<String> row = new ArrayList<>(first ? who : List.of("", "", "", "", ""));
        row.addAll(
            List.of(
                story.name(),
                ByteSize.format(story.beforeBytes()),
                ByteSize.format(story.peakBytes()),
                ByteSize.format(story.afterBytes())));
        rows.add(row);
        first = false;
      }
      if (first) {
        List<String> row = new ArrayList<>(who);
        row.addAll(List.of("-", "-", "-", "-"));
        rows.add(row);
      }
    }
    return TextTable.of(rows, 1);
  }

  /** A time with a unit that fits. */
  public static String millis(double millis) {
    if (millis < 0) {
      return "-";
    }
    return millis < 1000
        ? String.format(Locale.ROOT, "%.1f ms", millis)
        : String.format(Locale.ROOT, "%.1f s", millis / 1000);
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format, values) + "\n";
  }
}
