package io.spillway.report;

import java.util.Collection;
import java.util.List;

/**
 * One fault point of a run.
 *
 * @param armed whether the plan has a rule for it
 * @param instrumented whether any JVM carried the point
 * @param reason why a JVM disarmed it; null if none did
 * @param reached calls that came by
 * @param recovered faults after which the same attempt succeeded
 * @param retried faults after which another attempt succeeded
 * @param failedCleanly faults whose task never succeeded while its executor lived on
 * @param notHandled faults of which an executor died, or that nobody saw the end of
 * @param costMillis the time that the faults cost, as far as it was measured, summed
 * @param longestMillis the longest of those times
 */
public record PointSummary(
    String name,
    boolean armed,
    boolean instrumented,
    String reason,
    long reached,
    long fired,
    long recovered,
    long retried,
    long failedCleanly,
    long notHandled,
    double costMillis,
    double longestMillis) {

  /**
   * A summary for each point of the plan.
   *
   * @param names of the armed points; one of which no agent told counts as not instrumented
   */
  public static List<PointSummary> of(
      Collection<String> names, PointCounts counts, List<JudgedFault> faults) {
    return names.stream()
        .map(name -> of(name, counts.byPoint().getOrDefault(name, PointCounts.Count.NONE), faults))
        .toList();
  }

  private static PointSummary of(String name, PointCounts.Count count, List<JudgedFault> all) {
    List<JudgedFault> faults = all.stream().filter(one -> one.point().equals(name)).toList();
    return new PointSummary(
        name,
        true,
        count.instrumented(),
        count.reason().orElse(null),
        count.reached(),
        faults.size(),
        with(Outcome.RECOVERED, faults),
        with(Outcome.RETRIED, faults),
        with(Outcome.FAILED_CLEANLY, faults),
        with(Outcome.NOT_HANDLED, faults),
        faults.stream().mapToDouble(JudgedFault::costMillis).filter(cost -> cost >= 0).sum(),
        faults.stream()
            .mapToDouble(JudgedFault::costMillis)
            .filter(cost -> cost >= 0)
            .max()
            .orElse(0));
  }

  private static long with(Outcome outcome, List<JudgedFault> faults) {
    return faults.stream().filter(fault -> fault.outcome() == outcome).count();
  }
}
