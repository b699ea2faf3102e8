package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.FaultPoint;
import java.util.EnumMap;
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

  /** Filled in the constructor and only read after that. */
  private final Map<FaultPoint, Calls> points = new EnumMap<>(FaultPoint.class);

  private final Map<ArmedRule, AtomicLong> firedByRule = new HashMap<>();
  private final AttemptTrace trace = new AttemptTrace();
  private volatile boolean ended;

  /**
   * @param plan all rules of the plan, in its order
   */
  Attempt(TaskKey key, long seed, List<ArmedRule> plan) {
    this.key = key;
    this.hash =
        DecisionHash.ofAttempt(
            seed, key.label(), key.stageOrdinal(), key.partition(), key.attempt());
    for (FaultPoint point : FaultPoint.values()) {
      List<ArmedRule> concerned =
          plan.stream().filter(rule -> rule.point() == point && rule.concerns(key)).toList();
      concerned.forEach(rule -> firedByRule.put(rule, new AtomicLong()));
      points.put(point, new Calls(new AtomicLong(), concerned.toArray(new ArmedRule[0])));
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

  /** Index of the call that is just being made, from 1. */
  long nextCall(FaultPoint point) {
    return points.get(point).count().incrementAndGet();
  }

  /** Calls so far. */
  long calls(FaultPoint point) {
    return points.get(point).count().get();
  }

  /** The rules that may fire here, in the plan's order. The array is not to be changed. */
  ArmedRule[] rules(FaultPoint point) {
    return points.get(point).rules();
  }

  /** The count of a rule that concerns this attempt. */
  AtomicLong firedBy(ArmedRule rule) {
    return firedByRule.get(rule);
  }

  void end() {
    ended = true;
  }

  boolean hasEnded() {
    return ended;
  }

  /** An array, because a hot loop goes over it without an iterator. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Calls(AtomicLong count, ArmedRule[] rules) {}
}
