package io.spillway.drill;

import io.spillway.report.ExecutorLost;
import io.spillway.report.JudgedFault;
import io.spillway.report.PointSummary;
import java.util.List;

/**
 * Everything that a drill found out. {@code report.json} has exactly these fields.
 *
 * @param ok whether nothing at all is wrong
 * @param reasons one sentence for each thing that is wrong
 * @param scale TPC-H scale factor
 * @param memoryBytes off-heap memory of an executor in the passes with Spillway
 * @param rulesNeverFired rules of the plan for which no call was picked
 * @param firedDigest equal for two drills whose faults fired at the same keys
 * @param leakedBytes native bytes left on any executor of any pass
 * @param executorsLost executors that died in any pass
 * @param points the fault points
 * @param fired every fault that fired, by key
 * @param plan the fault plan as it was armed
 */
public record DrillReport(
    boolean ok,
    List<String> reasons,
    String version,
    String startedAt,
    double seconds,
    long seed,
    String scale,
    long memoryBytes,
    String master,
    List<PassReport> passes,
    long leakedBytes,
    int executorsLost,
    List<PointSummary> points,
    List<String> rulesNeverFired,
    String firedDigest,
    List<JudgedFault> fired,
    String plan) {

  /** One pass. */
  public record PassReport(
      int number,
      String name,
      String title,
      double seconds,
      List<Query> queries,
      List<PassOutcome.Ledger> ledgers,
      List<String> ledgersMissing,
      List<ExecutorLost> executorsLost) {}

  /**
   * One query of a pass.
   *
   * @param resultEqual whether the rows are those of plain Spark
   * @param difference the first difference or the query's error; null when there is none
   * @param tasksRetried tasks that needed more than one attempt
   * @param bytesLeft native bytes in the ledgers after the query
   */
  public record Query(
      String name,
      double seconds,
      boolean resultEqual,
      String difference,
      int nativeOperators,
      int jvmOperators,
      int transitions,
      long spilledBytes,
      long peakNativeBytes,
      long faultsFired,
      long tasksRetried,
      long bytesLeft) {}
}
