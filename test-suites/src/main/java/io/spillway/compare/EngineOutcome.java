package io.spillway.compare;

import io.spillway.report.AttemptEnd;
import io.spillway.report.ExecutorLost;
import java.util.List;

/**
 * What the JVM of one engine saw.
 *
 * @param queries those that ran to an end, good or bad, in order
 * @param attempts every task attempt that ended
 * @param executorsLost executors that were removed before Spark was stopped
 */
record EngineOutcome(
    List<Query> queries, List<AttemptEnd> attempts, List<ExecutorLost> executorsLost) {
  static final EngineOutcome NOTHING = new EngineOutcome(List.of(), List.of(), List.of());

  /**
   * One query.
   *
   * @param foreignOperators operators of the plan that are not Spark's own
   * @param error why it failed; null if it did not
   */
  record Query(String name, double seconds, int foreignOperators, String error) {}
}
