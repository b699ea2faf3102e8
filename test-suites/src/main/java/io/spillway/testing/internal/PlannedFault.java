package io.spillway.testing.internal;

import io.spillway.chaos.FaultPlan;
import java.util.function.BiFunction;

/**
 * What one invocation injects.
 *
 * @param name the replay: equal for the same fault in every run
 * @param point where; several, or {@code *}, for a whole plan
 * @param operator who makes the call; empty if nobody knows
 * @param mode how long it lasts; empty for a plan
 * @param fault what happens
 * @param stratum equal for faults of one kind, of which a sample must have one
 * @param certain whether a run that does not come to it is a defect, and not chance
 * @param expected what the job may fail with
 * @param plan made from the run's label and from how many attempts Spark gives a task
 */
record PlannedFault(
    String name,
    String point,
    String operator,
    String mode,
    String fault,
    Object stratum,
    boolean certain,
    ExpectedFailure expected,
    BiFunction<String, Integer, FaultPlan> plan) {}
