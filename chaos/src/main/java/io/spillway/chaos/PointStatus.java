package io.spillway.chaos;

import java.util.Optional;

/**
 * What has become of one point.
 *
 * @param point the point
 * @param armed whether a rule of the plan is for it
 * @param instrumented whether its class was loaded and changed
 * @param reason why it was disarmed; empty if it was not
 * @param reached calls that came to it
 * @param fired faults injected at it
 */
public record PointStatus(
    FaultPoint point,
    boolean armed,
    boolean instrumented,
    Optional<String> reason,
    long reached,
    long fired) {}
