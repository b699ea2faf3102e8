package io.spillway.drill;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.spillway.report.AttemptEnd;
import io.spillway.report.ExecutorLost;
import java.util.List;

/**
 * What one pass came to, as its child JVM saw it.
 *
 * @param queries one for each query of the drill, in order
 * @param attempts every task attempt that ended
 * @param executorsLost executors that were removed before the pass stopped Spark, with the reason
 * @param ledgers the last figures of each executor's ledger; empty on plain Spark
 * @param ledgersMissing executors that ran but sent no last ledger
 */
public record PassOutcome(
    List<Query> queries,
    List<AttemptEnd> attempts,
    List<ExecutorLost> executorsLost,
    List<Ledger> ledgers,
    List<String> ledgersMissing) {

  /**
   * One query of a pass.
   *
   * @param seconds from the call to the last row on the driver
   * @param stageBase id of the first stage that the query could use
   * @param stageEnd id after the last stage that it used
   * @param plan figures of the plan that ran
   * @param bytesLeft native bytes in the executors' ledgers after the query
   * @param error why the query failed; null when it did not
   */
  public record Query(
      String name,
      double seconds,
      int stageBase,
      int stageEnd,
      Plan plan,
      long bytesLeft,
      String error) {

    boolean usedStage(int stageId) {
      return stageId >= stageBase && stageId < stageEnd;
    }
  }

  /**
   * What Spillway did in a plan.
   *
   * @param nativeOperators operators of Spillway
   * @param jvmOperators operators of Spark
   * @param transitions changes between columns and rows
   * @param spilledBytes bytes that native operators wrote to disk
   * @param peakNativeBytes highest native memory of one task
   */
  public record Plan(
      int nativeOperators,
      int jvmOperators,
      int transitions,
      long spilledBytes,
      long peakNativeBytes) {
    static final Plan PLAIN = new Plan(0, 0, 0, 0, 0);

    Plan withPeak(long newPeakNativeBytes) {
      return new Plan(nativeOperators, jvmOperators, transitions, spilledBytes, newPeakNativeBytes);
    }
  }

  /**
   * The last figures that an executor's ledger sent.
   *
   * @param usedBytes native bytes live when it was sent
   * @param leakedBytes native bytes that successful tasks left behind
   * @param reclaimedBytes native bytes taken back from failed tasks
   * @param owners who owned what was left
   * @param last whether it was sent at the executor's shutdown
   */
  public record Ledger(
      String executor,
      long usedBytes,
      long peakBytes,
      long spilledBytes,
      long reclaimedBytes,
      long leakedBytes,
      List<String> owners,
      boolean last) {

    @JsonIgnore
    public boolean isClean() {
      return usedBytes == 0 && leakedBytes == 0;
    }
  }
}
