package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.Fault;
import io.spillway.chaos.FaultPoint;
import io.spillway.chaos.internal.report.JsonObject;
import java.time.Instant;

/**
 * One fault that is being injected.
 *
 * @param rule number of the rule, from 1
 * @param operator the operator's name; null if the seam does not know it
 * @param executor Spark's executor id; null before Spark has started
 */
record Firing(
    long seed,
    FaultPoint point,
    Fault fault,
    int rule,
    TaskKey task,
    long call,
    String operator,
    String executor,
    String thread,
    Instant time) {

  /** The key and the rule, for messages. */
  String describe() {
    return "%s, call %d, %s, rule %d, seed %d".formatted(point.id(), call, task, rule, seed);
  }

  /** One line of the fired file. Its keys are a format that readers rely on. */
  String toJson() {
    return new JsonObject()
        .put("seed", seed)
        .put("label", task.label())
        .put("stage", task.stageOrdinal())
        .put("partition", task.partition())
        .put("attempt", task.attempt())
        .put("point", point.id())
        .put("call", call)
        .put("rule", rule)
        .put("fault", fault.describe())
        .put("stageId", task.stageId())
        .put("stageAttempt", task.stageAttempt())
        .put("taskAttemptId", task.taskAttemptId())
        .put("operator", operator)
        .put("executor", executor)
        .put("thread", thread)
        .put("time", time.toString())
        .toString();
  }
}
