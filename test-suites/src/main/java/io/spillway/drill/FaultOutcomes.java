package io.spillway.drill;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What came of the faults of a pass, from the attempts of its tasks. */
final class FaultOutcomes {
  /** The attempt in which the fault fired succeeded. */
  static final String RECOVERED = "recovered";

  /** A later attempt of the same task succeeded. */
  static final String RETRIED = "retried";

  /** No attempt succeeded. */
  static final String FAILED = "failed";

  /** The fault fired outside any task that Spark told of. */
  static final String UNKNOWN = "unknown";

  private record Task(int stageId, int partition) {}

  private final Map<Task, Integer> succeededAt = new HashMap<>();
  private final Map<Task, Integer> seen = new HashMap<>();

  FaultOutcomes(List<PassOutcome.TaskAttempt> attempts) {
    for (PassOutcome.TaskAttempt attempt : attempts) {
      Task task = new Task(attempt.stageId(), attempt.partition());
      seen.merge(task, 1, Integer::sum);
      if (attempt.succeeded()) {
        succeededAt.merge(task, attempt.attempt(), Math::max);
      }
    }
  }

  /** One of the four words above. */
  String of(FiredFault fault) {
    Task task = new Task(fault.stageId(), fault.partition());
    Integer succeeded = succeededAt.get(task);
    if (succeeded == null) {
      return seen.containsKey(task) ? FAILED : UNKNOWN;
    }
    return succeeded == fault.attempt() ? RECOVERED : RETRIED;
  }

  /** Tasks of a query that needed more than one attempt. */
  static long tasksRetried(PassOutcome.Query query, List<PassOutcome.TaskAttempt> attempts) {
    return attempts.stream()
        .filter(attempt -> query.usedStage(attempt.stageId()) && attempt.attempt() > 0)
        .map(attempt -> new Task(attempt.stageId(), attempt.partition()))
        .distinct()
        .count();
  }
}
