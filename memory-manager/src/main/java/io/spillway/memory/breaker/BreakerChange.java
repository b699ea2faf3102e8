package io.spillway.memory.breaker;

/**
 * A breaker went from one state to another.
 *
 * @param kind of operator, for example {@code HashAggregate}
 * @param from state before
 * @param to state now
 * @param failures among the last outcomes, counted before the change
 * @param outcomes that were looked at
 * @param lastFailure what the last failure said, or empty if none has been told
 */
public record BreakerChange(
    String kind,
    BreakerState from,
    BreakerState to,
    int failures,
    int outcomes,
    String lastFailure) {}
