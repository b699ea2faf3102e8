package io.spillway.bench;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * A line of a report.
 *
 * @param name what was measured
 * @param unit of {@code ours} and {@code base}
 * @param ours Spillway's figure
 * @param base what it is compared with, or null
 * @param compared as {@code comparison} says, taken round by round; or null where nothing is
 *     compared
 * @param comparison {@code difference} (ours less base, in the unit), {@code ratio} (ours by base),
 *     {@code speedup} (base by ours), or null
 * @param target what is judged, {@code compared} if there is one, else {@code ours}, must come to;
 *     null for a figure that only informs
 * @param verdict on it; null without a target, and in a smoke run
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Measure(
    String name,
    String unit,
    Figure ours,
    Figure base,
    Figure compared,
    String comparison,
    Target target,
    Target.Verdict verdict) {

  /** A figure that stands for itself; the target may be null. */
  static Measure single(String name, String unit, Figure ours, Target target) {
    return of(name, unit, ours, null, null, null, target);
  }

  /** A figure beside another; the target may be null. */
  static Measure compared(
      String name,
      String unit,
      Figure ours,
      Figure base,
      Figure compared,
      String comparison,
      Target target) {
    return of(name, unit, ours, base, compared, comparison, target);
  }

  /** The same without a verdict. */
  Measure unjudged() {
    return new Measure(name, unit, ours, base, compared, comparison, target, null);
  }

  private static Measure of(
      String name,
      String unit,
      Figure ours,
      Figure base,
      Figure compared,
      String comparison,
      Target target) {
    Figure judged = compared == null ? ours : compared;
    return new Measure(
        name,
        unit,
        ours,
        base,
        compared,
        comparison,
        target,
        target == null ? null : target.judge(judged));
  }
}
