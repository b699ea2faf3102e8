package io.spillway.chaos;

/**
 * One call of one point in one task attempt, named as it is the same in every run: no thread, clock
 * or id of Spark's. The point is the rule's.
 *
 * @param label the query's label; empty if it has none
 * @param stage stage ordinal in the query, below 0 for a stage before its base; -1 outside a task
 * @param partition partition id; -1 outside a task
 * @param attempt attempt number within the stage attempt
 * @param stageAttempt attempt number of the stage
 * @param call index of the call in the attempt, from 1
 */
public record FaultKey(
    String label, int stage, int partition, int attempt, int stageAttempt, long call) {

  /** Refuses with {@link IllegalArgumentException} figures out of their ranges. */
  public FaultKey {
    if (partition < -1 || attempt < 0 || stageAttempt < 0 || call < 1) {
      throw new IllegalArgumentException(
          "no call: stage=%d, partition=%d, attempt=%d, stageAttempt=%d, call=%d"
              .formatted(stage, partition, attempt, stageAttempt, call));
    }
  }

  /** A call outside any task. */
  public static FaultKey outsideTask(long call) {
    return new FaultKey("", -1, -1, 0, 0, call);
  }

  /** Whether both are calls of the same task attempt, or both outside any task. */
  public boolean isOfAttemptOf(FaultKey other) {
    return stage == other.stage
        && partition == other.partition
        && attempt == other.attempt
        && stageAttempt == other.stageAttempt
        && label.equals(other.label);
  }

  /** Whether the call is outside any task. */
  public boolean isOutsideTask() {
    return partition < 0;
  }
}
