package io.spillway.plugin;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The executors that have said that they cannot run native operators, and live. Thread-safe: told
 * by the thread of messages and by Spark's listener bus, asked by whoever plans.
 */
final class ExecutorsWithoutKernels {
  private final Map<String, String> reasons = new TreeMap<>();
  private final Set<String> lost = new HashSet<>();

  /**
   * @param reason one sentence
   */
  synchronized void add(String executorId, String reason) {
    // What an executor says may come after Spark has noticed its end; ids are not used twice.
    if (!lost.contains(executorId)) {
      reasons.put(executorId, reason);
    }
  }

  /** The executor is gone, whether or not it had kernels. */
  synchronized void lost(String executorId) {
    lost.add(executorId);
    reasons.remove(executorId);
  }

  /** Why nothing may run natively: one sentence; empty if every executor has kernels. */
  synchronized Optional<String> refusal() {
    return reasons.entrySet().stream()
        .findFirst()
        .map(
            first ->
                "executor "
                    + first.getKey()
                    + (reasons.size() == 1 ? "" : " and " + (reasons.size() - 1) + " more")
                    + " cannot run native operators: "
                    + first.getValue());
  }
}
