package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.FaultKey;

/**
 * Who reached a point: a task attempt, or the code outside any task.
 *
 * @param label the query's label; empty if it has none
 * @param stageOrdinal stage id less the query's first one; -1 outside a task
 * @param partition partition id; -1 outside a task
 * @param attempt attempt number within the stage attempt
 * @param stageAttempt attempt number of the stage
 * @param stageId Spark's stage id, for the report only; -1 outside a task
 * @param taskAttemptId Spark's task attempt id, for the report only; -1 outside a task
 */
record TaskKey(
    String label,
    int stageOrdinal,
    int partition,
    int attempt,
    int stageAttempt,
    int stageId,
    long taskAttemptId) {

  static final TaskKey OUTSIDE = new TaskKey("", -1, -1, 0, 0, -1, -1);

  /** The attempt of a key in a plan, with no ids. */
  static TaskKey of(FaultKey key) {
    return new TaskKey(
        key.label(), key.stage(), key.partition(), key.attempt(), key.stageAttempt(), 0, 0);
  }

  /** The part that is the same in every run. */
  TaskKey withoutIds() {
    return new TaskKey(label, stageOrdinal, partition, attempt, stageAttempt, 0, 0);
  }

  boolean outsideTask() {
    return taskAttemptId < 0;
  }

  @Override
  public String toString() {
    return outsideTask()
        ? "outside any task"
        : "label '%s', stage %d, partition %d, attempt %d"
            .formatted(label, stageOrdinal, partition, attempt);
  }
}
