package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.FaultPoint;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.ObjLongConsumer;

/**
 * The task attempts that have reached a point and still run. An attempt is dropped when Spark
 * completes its task; what its clean-up reaches after that counts as outside a task.
 */
final class Attempts {
  private final long seed;
  private final List<ArmedRule> rules;
  private final Attempt outside;
  private final ObjLongConsumer<FaultPoint> ended;
  private final ConcurrentMap<Long, Attempt> running = new ConcurrentHashMap<>();

  /** Whether we are told that bodies end. Until it is known, Spark is asked, which takes a lock. */
  private volatile boolean told;

  /** The attempt that this thread asked for last: most calls in a row come from one task. */
  @SuppressWarnings("ThreadLocalUsage") // It must go with the engine: the next one counts afresh.
  private final ThreadLocal<Last> last = new ThreadLocal<>();

  /**
   * An attempt and the context that it was found by.
   *
   * @param task compared by identity
   */
  private record Last(Object task, Attempt attempt) {}

  /**
   * @param ended takes over the calls of each point when an attempt ends
   */
  Attempts(long seed, List<ArmedRule> rules, ObjLongConsumer<FaultPoint> ended) {
    this.ended = ended;
    this.seed = seed;
    this.rules = rules;
    this.outside = new Attempt(TaskKey.OUTSIDE, seed, rules);
  }

  /** The attempt that this thread works for. Holds no lock while it calls Spark. */
  Attempt current(TaskAccess spark) {
    Object task = spark.currentTask();
    if (task == null) {
      return outside;
    }
    Last known = last.get();
    if (told && known != null && known.task() == task) {
      return known.attempt().isCompleted() ? outside : known.attempt();
    }
    if (spark.isCompleted(task)) {
      return outside;
    }
    if (known != null && known.task() == task && !known.attempt().isCompleted()) {
      return known.attempt();
    }
    Attempt attempt = find(spark, task, spark.taskAttemptId(task));
    last.set(new Last(task, attempt));
    // A task that has ended meanwhile: its attempt's calls have been taken over already.
    return attempt.isCompleted() ? outside : attempt;
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

  /** A task's body has ended; its listeners have not run yet. */
  void completing(long taskAttemptId) {
    Attempt attempt = running.get(taskAttemptId);
    if (attempt != null) {
      attempt.complete();
    }
    told = true;
  }

  private void end(Attempt attempt) {
    attempt.complete();
    if (running.remove(attempt.key().taskAttemptId(), attempt)) {
      for (FaultPoint point : FaultPoint.values()) {
        ended.accept(point, attempt.at(point).soFar());
      }
    }
  }

  /**
   * Takes the attempt that has just ended on this thread, for the report.
   *
   * @return null if this thread's last one is another, or was taken already
   */
  Attempt takeEnded(long taskAttemptId) {
    Last known = last.get();
    if (known == null || known.attempt().key().taskAttemptId() != taskAttemptId) {
      return null;
    }
    last.remove();
    return known.attempt();
  }

  /** Calls of a point by the attempts that still run, and by everything outside tasks. */
  long calls(FaultPoint point) {
    long calls = outside.at(point).soFar();
    for (Attempt attempt : running.values()) {
      calls += attempt.at(point).soFar();
    }
    return calls;
  }

  /** How many attempts are held: 0 when no task runs. */
  int size() {
    return running.size();
  }
}
