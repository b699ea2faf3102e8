package io.spillway.chaos.internal.dispatch;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The task attempts that have reached a point and still run. An attempt is dropped when Spark
 * completes its task; what its clean-up reaches after that counts as outside a task.
 */
final class Attempts {
  private final long seed;
  private final List<ArmedRule> rules;
  private final Attempt outside;
  private final ConcurrentMap<Long, Attempt> running = new ConcurrentHashMap<>();

  /** The attempt that this thread asked for last: most calls in a row come from one task. */
  @SuppressWarnings("ThreadLocalUsage") // It must go with the engine: the next one counts afresh.
  private final ThreadLocal<Attempt> last = new ThreadLocal<>();

  Attempts(long seed, List<ArmedRule> rules) {
    this.seed = seed;
    this.rules = rules;
    this.outside = new Attempt(TaskKey.OUTSIDE, seed, rules);
  }

  /** The attempt that this thread works for. Holds no lock while it calls Spark. */
  Attempt current(TaskAccess spark) {
    Object task = spark.currentTask();
    if (task == null || spark.isCompleted(task)) {
      return outside;
    }
    long id = spark.taskAttemptId(task);
    Attempt attempt = last.get();
    if (attempt == null || attempt.hasEnded() || attempt.key().taskAttemptId() != id) {
      attempt = find(spark, task, id);
      last.set(attempt);
    }
    return attempt;
  }

  private Attempt find(TaskAccess spark, Object task, long id) {
    Attempt known = running.get(id);
    if (known != null) {
      return known;
    }
    Attempt fresh = new Attempt(spark.key(task), seed, rules);
    known = running.putIfAbsent(id, fresh);
    if (known != null) {
      return known;
    }
    // In the map before the listeners: a task that has just ended runs them at once.
    boolean followed = false;
    try {
      spark.onFailure(task, fresh.trace()::failed);
      spark.onCompletion(task, () -> end(fresh));
      followed = true;
    } finally {
      if (!followed) {
        // Nobody would drop it when the task ends.
        running.remove(id, fresh);
      }
    }
    return fresh;
  }

  private void end(Attempt attempt) {
    attempt.end();
    running.remove(attempt.key().taskAttemptId(), attempt);
  }

  /**
   * Takes the attempt that has just ended on this thread, for the report.
   *
   * @return null if this thread's last one is another, or was taken already
   */
  Attempt takeEnded(long taskAttemptId) {
    Attempt attempt = last.get();
    if (attempt == null || attempt.key().taskAttemptId() != taskAttemptId) {
      return null;
    }
    last.remove();
    return attempt;
  }

  /** How many attempts are held: 0 when no task runs. */
  int size() {
    return running.size();
  }
}
