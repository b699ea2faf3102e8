package io.spillway.testing.internal;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.spillway.testing.SweepOutcome;

/**
 * One invocation with a fault.
 *
 * @param name the replay
 * @param operator who makes the call; empty if the point does not know
 * @param mode empty for a whole plan
 * @param fired faults injected
 * @param millis how long the run with the fault took
 * @param problems what was wrong; empty if nothing was
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record InvocationReport(
    String name,
    String point,
    String operator,
    String mode,
    String fault,
    long fired,
    SweepOutcome outcome,
    long millis,
    String problems) {}
