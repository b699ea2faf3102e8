package io.spillway.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a run may have come to.
 *
 * @param mostLeakedBytes memory left by attempts that succeeded; {@link #ANY}: so many as there are
 * @param mostLostExecutors executors that died; {@link #ANY}: so many as there are
 * @param mostNotHandled faults of which an executor died; {@link #ANY}: so many as there are
 * @param mostFailedCleanly faults whose task never succeeded; {@link #ANY}: so many as there are
 * @param mostSpillFiles spill files left; {@link #ANY}: so many as there are
 * @param everyRuleFires whether each rule of the plan must have fired
 * @param pointsThatFire points at which something must have fired
 */
public record ReportLimits(
    long mostLeakedBytes,
    long mostLostExecutors,
    long mostNotHandled,
    long mostFailedCleanly,
    long mostSpillFiles,
    boolean everyRuleFires,
    List<String> pointsThatFire) {
  /** No limit. */
  public static final long ANY = -1;

  /** Whether nothing is asked for at all. */
  public boolean isEmpty() {
    return mostLeakedBytes < 0
        && mostLostExecutors < 0
        && mostNotHandled < 0
        && mostFailedCleanly < 0
        && mostSpillFiles < 0
        && !everyRuleFires
        && pointsThatFire.isEmpty();
  }

  /** One sentence for each thing that a run went beyond; none when it kept within all. */
  public List<String> violations(ChaosReport report) {
    List<String> found = new ArrayList<>();
    over(found, "bytes leaked", report.leakedBytes(), mostLeakedBytes);
    over(found, "executors lost", report.executorsLost().size(), mostLostExecutors);
    over(found, "faults not handled", report.count(Outcome.NOT_HANDLED), mostNotHandled);
    over(found, "faults failed cleanly", report.count(Outcome.FAILED_CLEANLY), mostFailedCleanly);
    over(found, "spill files left", report.spillFilesLeft(), mostSpillFiles);
    for (ChaosReport.Jvm jvm : report.jvms()) {
      if (jvm.faultsMissing() > 0) {
        found.add(
            "executor %s counted %d faults more than are on record, so nobody knows what came of them"
                .formatted(jvm.executor(), jvm.faultsMissing()));
      }
    }
    if (everyRuleFires) {
      for (ChaosReport.Jvm jvm : report.jvms()) {
        if (jvm.disarmed() != null) {
          found.add(
              "executor %s was disarmed before its end: %s"
                  .formatted(jvm.executor(), jvm.disarmed()));
        }
      }
      for (ChaosReport.Rule rule : report.rules()) {
        if (rule.fired() == 0) {
          found.add(
              "rule %d (%s at %s) never fired".formatted(rule.rule(), rule.fault(), rule.point()));
        }
      }
    }
    for (String name : pointsThatFire) {
      Optional<PointSummary> point =
          report.points().stream().filter(one -> one.name().equals(name)).findFirst();
      if (point.isEmpty()) {
        found.add("the point " + name + " was not armed");
      } else if (point.get().fired() == 0) {
        found.add(
            "the point %s was reached %d times and never fired"
                .formatted(name, point.get().reached()));
      }
    }
    return found;
  }

  private static void over(List<String> found, String what, long is, long most) {
    if (most >= 0 && is > most) {
      found.add("%d %s, at most %d allowed".formatted(is, what, most));
    }
  }
}
