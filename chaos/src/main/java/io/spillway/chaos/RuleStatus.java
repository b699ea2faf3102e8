package io.spillway.chaos;

/**
 * What has become of one rule.
 *
 * @param rule its number in the plan, from 1
 * @param point its point
 * @param fault its fault, figures included
 * @param fired faults that it injected in this JVM
 * @param limited calls that it picked and its limits let pass
 */
public record RuleStatus(int rule, FaultPoint point, String fault, long fired, long limited) {}
