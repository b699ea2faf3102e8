package io.spillway.report;

import java.time.Instant;

/**
 * A fault that fired and what came of it.
 *
 * @param key what decided it, together with the seed
 * @param rule number of the plan's rule, from 1
 * @param time when it fired, ISO 8601
 * @param jvm process id of the JVM in which it fired
 * @param costMillis the time that it cost; -1 where nobody measured it
 * @param failure what failed its attempt; empty if nothing did
 */
public record JudgedFault(
    String key,
    String point,
    String fault,
    int rule,
    String time,
    long jvm,
    String executor,
    String thread,
    String operator,
    Outcome outcome,
    double costMillis,
    String failure) {

  /** When it fired, since the epoch. */
  long timeMillis() {
    return Instant.parse(time).toEpochMilli();
  }

  static JudgedFault of(FiredFault fault, long jvm, FaultOutcomes.Verdict verdict) {
    return new JudgedFault(
        fault.key(),
        fault.point(),
        fault.fault(),
        fault.rule(),
        fault.time(),
        jvm,
        fault.executor(),
        fault.thread(),
        fault.operator(),
        verdict.outcome(),
        verdict.costMicros() < 0 ? -1 : verdict.costMicros() / 1000.0,
        verdict.failure());
  }
}
