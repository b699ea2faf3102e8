package io.spillway.chaos;

import io.spillway.chaos.internal.plan.NeverFires;

/**
 * One rule of a plan: which point, which fault, when and where, and how often at most.
 *
 * @param point where the fault is injected
 * @param fault what happens there; one of {@link FaultPoint#faults()}
 * @param when which calls are picked
 * @param where which tasks and operators are concerned
 * @param limits how often at most
 */
public record FaultRule(FaultPoint point, Fault fault, Trigger when, Scope where, Limits limits) {

  /**
   * Refuses with {@link IllegalArgumentException} a fault that the point cannot carry, and a rule
   * that could never fire.
   */
  public FaultRule {
    if (!point.faults().contains(fault.id())) {
      throw new IllegalArgumentException(
          "the point %s cannot carry %s; it can carry %s"
              .formatted(point.id(), fault.id(), String.join(", ", point.faults())));
    }
    NeverFires.problem(point, when, where, limits)
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException(problem.text());
            });
  }
}
