package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.FaultPoint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The counts of one task attempt (or of everything outside tasks): calls by point, faults by rule.
 * Any thread; a task's helper threads count with it.
 */
final class Attempt {
  private final TaskKey key;
  private final long hash;

  /** By a point's ordinal; filled in the constructor and only read after that. */
  private final Calls[] points = new Calls[FaultPoint.values().length];

  private final Map<ArmedRule, AtomicLong> firedByRule = new HashMap<>();
  private final AttemptTrace trace = new AttemptTrace();
  private volatile boolean completed;

  /**
   * @param plan all rules of the plan, in its order
   */
  @SuppressWarnings("EnumOrdinal") // A place in this JVM's memory, written down nowhere.
  Attempt(TaskKey key, long seed, List<ArmedRule> plan) {
    this.key = key;
    this.hash =
        DecisionHash.ofAttempt(
            seed, key.label(), key.stageOrdinal(), key.partition(), key.attempt());
    for (FaultPoint point : FaultPoint.values()) {
      List<ArmedRule> concerned =
          plan.stream().filter(rule -> rule.point() == point && rule.concerns(key)).toList();
      concerned.forEach(rule -> firedByRule.put(rule, new AtomicLong()));
      points[point.ordinal()] = new Calls(new AtomicLong(), concerned.toArray(new ArmedRule[0]));
    }
  }

  TaskKey key() {
    return key;
  }

  /** The key's hash but for point, call and rule. */
  long hash() {
    return hash;
  }

  /** What it went through, for the report. */
  AttemptTrace trace() {
    return trace;
  }

  /** What the attempt has made of a point. */
  @SuppressWarnings("EnumOrdinal") // A place in this JVM's memory, written down nowhere.
  Calls at(FaultPoint point) {
    return points[point.ordinal()];
  }

  /** The count of a rule that concerns this attempt. */
  AtomicLong firedBy(ArmedRule rule) {
    return firedByRule.get(rule);
  }

  /** The task's body has ended: what is called from here on is not its own. */
  void complete() {
    completed = true;
  }

  boolean isCompleted() {
    return completed;
  }

  /**
   * An attempt's calls of one point.
   *
   * @param rules those that may fire here, in the plan's order; not to be changed. An array,
   *     because a hot loop goes over it without an iterator
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Calls(AtomicLong count, ArmedRule[] rules) {
    /** Index of the call that is just being made, from 1. */
    long next() {
      return count.incrementAndGet();
    }

    /** Calls so far. */
    long soFar() {
      return count.get();
    }
  }
}
